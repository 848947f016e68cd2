/**
 * Tells whether an answer is from Overworld, and not from a proxy, a captive portal or another server. All
 * SDKs have this rule; `sdks/transcripts/tables/answers.json` lists its cases.
 * @param body The JSON of the answer; undefined if its body is no JSON.
 * @param isMarked True if the answer has the header `overworld-server`. Servers of the first releases do not
 * send it, and a proxy may remove it.
 * @param gives A member of the answer to a call that succeeds; empty if that answer has no body.
 * @param isConditional True if the call names the version of the answer that the client has.
 */
export const isOurs = (
  status: number,
  body: unknown,
  isMarked: boolean,
  gives: string,
  isConditional: boolean,
): boolean => {
  // A proxy that refuses the size of a request would always refuse it, so the call must not wait.
  if (status === 413) return true;
  if (status === 304) return isConditional;
  if (status === 204) return !gives;
  if (!(body instanceof Object)) return false;
  const { error } = body as { error?: unknown };
  if (status >= 400) return isMarked || typeof error === 'string';
  return status < 300 && (isMarked || Object.hasOwn(body, gives));
};
