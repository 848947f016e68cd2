import { t } from './schema.ts';

export const ENVIRONMENTS = ['development', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
export const EnvironmentName = t.Enum(
  ENVIRONMENTS,
  'Environment of the game: player data is separate in each.',
);

/** Path parameter of every operation on one game. */
export const GameId = t.String('Id of the game (uuid).');

export const PlayerId = t.Name('Id of the player, given by the game.');
/** The id of the player whom a call may make. */
export const NewPlayerId = t.NewName('Id of the player, given by the game.');

const SENT_PLAYER_ID =
  'Id of the player, given by the game. With `x-player-token` it may be left out.';
/**
 * The player in the query of a call with an API key. The server checks that the call names a player, either
 * here or by the header `x-player-token`.
 */
export const AskedPlayerId = t.Optional(t.Name(SENT_PLAYER_ID));
/** The same in the body of a call that makes the player if there is none. */
export const SentPlayerId = t.Optional(t.NewName(SENT_PLAYER_ID));

/** Query of the dashboard operations on player data. */
export const EnvironmentQuery = t.Object({
  environment: t.Enum(ENVIRONMENTS, 'Environment of the game; production when left out.', {
    default: 'production',
  }),
});

/** Query of a list that is read page by page. The answer has no total. */
export const CursorQuery = t.Object({
  limit: t.Integer('Largest number of entries in one answer.', {
    minimum: 1,
    maximum: 200,
    default: 50,
  }),
  cursor: t.Optional(
    t.String('`next_cursor` of the page before; left out for the first page.', { maxLength: 1024 }),
  ),
});

/** Query of a list that is read page by page. The answer can have the total. */
export const PageQuery = t.Object({
  ...CursorQuery.properties,
  with_total: t.Optional(
    t.Boolean('True: the answer also has `total`, the number of entries on all pages.'),
  ),
});

/** Query of a list of player data that is read page by page. */
export const EnvironmentPageQuery = t.Object({
  ...EnvironmentQuery.properties,
  ...PageQuery.properties,
});

/** Header of a PUT. With `*`, the PUT only creates, and never changes something that exists. */
export const IfNoneMatch = (something: string) =>
  t.Object({
    'if-none-match': t.Optional(
      t.Literal('*', { description: `\`*\`: only if there is no ${something} yet, else 409.` }),
    ),
  });

export const Email = t.String(
  'E-mail address. Upper and lower case are the same, spaces around it do not count.',
  { minLength: 1, maxLength: 254 },
);

/** A link that the caller must pass on, because no mail is sent. */
export const ShownLink = t.Object({
  link: t.String('The whole address. Nobody can read it again.'),
  expires_at: t.Timestamp('When it stops working.'),
});

/** The token in the link of an e-mail. */
export const LinkToken = t.String('The token of the link in the e-mail.', {
  minLength: 1,
  maxLength: 255,
});
