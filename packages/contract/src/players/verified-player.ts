import { answer, badRequest, errorAnswer } from '../answers.ts';
import { PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { exampleLogin, Providers } from './login-fields.ts';
import { MAX_LOGIN_BODY_BYTES } from './login-limits.ts';

const operation = operationsIn('Player login');

export const verifyPlayer = operation('POST /v1/players/verify', {
  access: 'server_key',
  max_body_bytes: MAX_LOGIN_BODY_BYTES,
  summary: 'Verify the token of a player',
  description:
    'Tells the studio’s own server, such as a match server, which player a token belongs to. The game sends its player token to that server, and the server sends it here with a key of the same environment. If the player was merged into another one, the answer names the player who stays. A token is valid until it expires, also after its login has ended. Send no `x-player-token` with this call.',
  body: t.Object({
    player_token: t.String('The player token that the game sent.', {
      minLength: 1,
      maxLength: 8_192,
    }),
  }),
  example: { player_token: exampleLogin.player_token },
  answers: {
    200: answer(
      'The token is valid.',
      t.Object({
        player_id: PlayerId,
        expires_at: t.Timestamp('When the player token expires.'),
        providers: Providers,
      }),
      {
        player_id: exampleLogin.player_id,
        expires_at: exampleLogin.expires_at,
        providers: exampleLogin.providers,
      },
    ),
    400: badRequest('player_token is required'),
    401: errorAnswer(
      'The API key is missing or invalid; or the token is wrong, expired, or of another game or environment, or its player was erased.',
      'Player token expired',
    ),
  },
});
