/** An error answer of the dashboard's API. */
export class DashboardApiError extends Error {
  readonly status: number;

  constructor(what: string, status: number, text: string) {
    super(`${what} answered ${status}: ${text}`);
    this.status = status;
  }
}

/** Calls the API as the dashboard does; `token` is the token of an account. */
export async function callApi<Body>(
  server_url: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<Body> {
  const response = await fetch(server_url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new DashboardApiError(`${method} ${path}`, response.status, text);
  return JSON.parse(text) as Body;
}
