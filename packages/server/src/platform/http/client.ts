/** The client that sent a request. All facts come from the connection and the headers of the request. */
export interface Client {
  /** The address of the client. Behind trusted proxies, it is the address that the proxies report. */
  ip: string;
  /** The `User-Agent` header, cut to 512 characters. */
  user_agent: string | null;
  /** The `Cookie` header. */
  cookies: string | undefined;
  /** The `Origin` header, in which browsers name the origin of the page that sent the request. */
  origin: string | undefined;
}
