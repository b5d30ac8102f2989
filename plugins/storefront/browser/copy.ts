/** A button beside each block of code that copies it. */
const SHOWN_MS = 2000

/** Adds the buttons, where the browser lets a page write to the clipboard. */
export function offerCopies(): void {
  if (navigator.clipboard === undefined) return
  for (const block of document.querySelectorAll<HTMLElement>('pre[aria-label] > code')) {
    const { parentElement: pre } = block
    const frame = document.createElement('div')
    frame.className = 'copyable'
    pre!.replaceWith(frame)
    frame.append(pre!, copyButton(block, pre!.getAttribute('aria-label')!))
  }
}

function copyButton(block: HTMLElement, label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy: ${label}`)
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.textContent).then(
      () => tell(button, 'Copied'),
      () => tell(button, 'Not allowed'),
    )
  })
  return button
}

function tell(button: HTMLButtonElement, text: string): void {
  button.textContent = text
  setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS)
}
