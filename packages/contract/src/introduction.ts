import { ANSWER_MARK } from './answer-mark.ts';

/** The beginning of the API reference, in Markdown: the rules for all calls. */
export const INTRODUCTION = `
The API of this Overworld installation. Everything is JSON in UTF-8; requests with a body carry \`Content-Type: application/json\`, begin without a byte order mark (400), and are not compressed (415). HEAD is answered wherever GET is.

## Callers

- **A game** sends an API key in the header \`x-game-api-key\`. The key belongs to one environment of one game, \`development\` or \`production\`. Player data is separate in each; definitions are shared.
- **A player who has logged in** is named by a token in the header \`x-player-token\`, beside the key. Then every call about a player is about this one, and \`player_id\` may be left out; a call that names another player answers 403. The id of a player who was merged into this one may still be named. A game can require the token for all players, or for those who have logged in before (401 without it).
- **A studio's own server** sends a server key (\`ow_srv_…\`) in \`x-game-api-key\`. It may act for any player; with a player token, only for the player of the token. A request that comes from a page with such a key answers 403.
- **A dashboard account** sends the token of register or login as \`Authorization: Bearer …\`. It is valid for 7 days. A game of which the account is no member answers 404.
- **A machine of a member**, such as CI or a notebook, sends an access token (\`ow_pat_…\`) as \`Authorization: Bearer …\`. It reaches the games for which it was made, with its own role or the member's, whichever is lower. Each call says which role it needs; those about accounts, invitations and the installation take none.

## SDKs

This server gives out the SDKs of its own release: \`npm install <this server>/sdk/overworld-sdk.tgz\` for TypeScript, \`/sdk/overworld.js\`, an ES module for pages without a bundler, \`/sdk/godot.zip\`, to be unpacked in the folder of a Godot project, and \`/sdk/unity.tgz\` for Unity's Package Manager. Everybody may load them. Each SDK names itself and its version in the header \`overworld-sdk\`, such as \`godot/1.4.0\`; the dashboard shows which versions call.

## Errors

Every error is an object whose \`error\` explains it in words. A 400 names the field. Checks come in this order: credentials (401), request rate (429), player token (401), compression (415), size (413), fields (400), player (401, 403), membership (404), role (403), existence (404), state (409). Bodies may have 1 MB, those of calls without credentials 16 KB, unless a call says otherwise; at most 1,000 keys of a body may have quotation marks, backslashes or control characters, and at most 5,000 numbers may have three digits of exponent or 200 digits (400). These two limits do not count the \`data\` of a save.

An optional field that is \`null\` counts as left out. Unknown fields are ignored, but a PATCH needs at least one that is known. Names and ids have 1 to 255 characters of any kind; percent-encode them in paths. Do not use the names \`.\` and \`..\`: most HTTP clients take them for folders in a path, even when they are encoded.

## Answers of others

Every answer of this server, of every status and path, has the header \`${ANSWER_MARK}\` with the server's release. Proxies, captive portals and other servers send no such header, so an answer without it says nothing about the call. A client of your own should take it like a lost connection: keep the data, and try again later. If a proxy in front of your server removes headers that it does not know, let it pass this one.

## Rate limit

1,000 requests a minute, unless this installation sets another limit: for each API key, access token or account, and without these for each IP address or IPv6 /64 network. \`/healthz\` and \`/readyz\` are not counted; every other answer carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; a 429 and a 503 say in \`Retry-After\` how many seconds to wait. A game can also set shares: how many requests or events a minute one player, or one network with the same key, may send. A 429 past a share has the same form, its \`message\` says which share it is, and its \`X-RateLimit-*\` headers are those of the share. Calls with a server key have no shares. A 429 for a new player also has this form, where a network has made as many new players of a game as one network may make in an hour; so has a 429 for a new board.

## Lists and times

Lists of the dashboard answer \`{<plural>: […], next_cursor}\`. Send \`next_cursor\` as \`cursor\` to get the next page; null marks the last page. With \`with_total=true\` the answer also has \`total\`, the number of entries on all pages: \`{count, is_exact}\`. It is counted up to 10,000; \`is_exact: false\` says that the list has at least as many. Answers hold times as \`YYYY-MM-DDTHH:mm:ss.sssZ\`. Requests may hold any ISO 8601 time, in UTC if it has no offset.
`.trim();
