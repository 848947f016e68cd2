/** The origin of a request, as it states it. */
export interface Client {
  /** The address of the client; behind trusted proxies, the one that they name. */
  ip: string;
  /** The `User-Agent` header, cut to 512 characters. */
  user_agent: string | null;
  /** The `Cookie` header. */
  cookies: string | undefined;
  /** The `Origin` header; browsers name the page that sent the request. */
  origin: string | undefined;
}
