/** The script of the pages for people. They can be read without it. */
import { offerCopies } from './copy.ts'
import { offerTry } from './try.ts'

document.documentElement.classList.add('has-script')
offerTry()
offerCopies()
