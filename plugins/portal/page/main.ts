/** The account pages. */
document.title = 'Account'
