/** The page to open after a login: `return_to`, when it is a path of this app. */
export function returnPath(search: URLSearchParams): string {
  const path = search.get('return_to') ?? '/';
  return /^\/(?![/\\])/.test(path) ? path : '/';
}
