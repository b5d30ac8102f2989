/** URLs of this machine. */

/** How a caller on this machine reaches a gateway that listens on `host` and `port`. */
export function localUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}

/** Whether only this machine reaches who listens on `host`, an address or the `hostname` of a URL. */
export function isLoopbackHost(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host)
}
