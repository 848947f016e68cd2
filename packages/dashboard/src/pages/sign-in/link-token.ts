import { useLocation } from 'react-router';

/**
 * Reads the token of a mailed link from the URL's fragment, which browsers send to no server. Links of mails
 * that release 0.1.0 or an older build sent have the token in the query.
 */
export function useLinkToken(): string {
  const { hash, search } = useLocation();
  const read = (text: string) => new URLSearchParams(text.slice(1)).get('token');
  return read(hash) ?? read(search) ?? '';
}
