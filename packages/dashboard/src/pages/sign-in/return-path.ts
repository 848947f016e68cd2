/** Returns the page to open after a login: `return_to` if it is a path of this app, else the start page. */
export function returnPath(search: URLSearchParams): string {
  const path = search.get('return_to') ?? '/';
  return /^\/(?![/\\])/.test(path) ? path : '/';
}
