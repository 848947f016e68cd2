/** Opens the API reference: what holds for every call. Markdown. */
export const INTRODUCTION = `
The API of this Overworld installation. Everything is JSON in UTF-8; requests with a body carry \`Content-Type: application/json\`. HEAD is answered wherever GET is.

## Who is calling

- **A game** sends an API key in the header \`x-game-api-key\`. The key belongs to one environment of one game, \`development\` or \`production\`. Player data is separate in each; definitions are shared.
- **A dashboard account** sends the token of register or login as \`Authorization: Bearer …\`. It is valid for 7 days. A game that the account is no member of answers 404.

## Errors

Every error is an object whose \`error\` says in words what is wrong. A 400 names the field. Checks come in this order: credentials (401), request rate (429), size (413), fields (400), membership (404), role (403), existence (404), state (409). Bodies may have 1 MB, those of calls without credentials 16 KB, unless a call says otherwise; at most 1,000 keys of a body may have quotation marks, backslashes or control characters, and at most 5,000 numbers three digits of exponent or 200 digits (400). Of \`data\` of a save neither counts.

An optional field that is \`null\` counts as left out. Fields that are not known are ignored. Names and ids have 1 to 255 characters of any kind; percent-encode them in paths. Name nothing \`.\` or \`..\`: most HTTP clients take these for folders in a path, even when they are encoded.

## Rate limit

1,000 requests a minute, unless this installation sets another limit: for each API key or account, and for each IP address where there is neither, of IPv6 each /64. \`/healthz\` and \`/readyz\` are not counted; every other answer carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; a 429 and a 503 say in \`Retry-After\` how many seconds to wait.

## Lists and times

Lists of the dashboard answer \`{<plural>: […], next_cursor}\`; give \`next_cursor\` as \`cursor\` to read on, null is the end. Times go out as \`YYYY-MM-DDTHH:mm:ss.sssZ\` and come in as ISO 8601, in UTC where no offset is given.
`.trim();
