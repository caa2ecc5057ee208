// Addresses of endpoints that people run themselves.

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && LOOPBACK.test(url.hostname);
}

/** What is odd about sending a key there; undefined where nothing is. */
export function exposedKey(title: string, key: string | undefined, address: string): string | undefined {
  if (!key || isLoopback(address) || URL.parse(address)?.protocol !== 'http:') return undefined;
  return `The key of ${title} travels unencrypted: its address is plain http on another machine.`;
}
