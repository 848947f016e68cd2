/** What a request says of where it comes from. */
export interface Client {
  /** Behind trusted proxies the address that they name. */
  ip: string;
  /** What the caller calls itself; cut to 512 characters. */
  user_agent: string | null;
  /** The `Cookie` header. */
  cookies: string | undefined;
  /** The `Origin` header: of the page that has sent it, where a browser did. */
  origin: string | undefined;
}
