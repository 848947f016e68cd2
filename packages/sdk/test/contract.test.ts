// Checks at compile time that the types of this package match the contract: `npm run check` fails if
// they do not.
import { test } from 'node:test';
import type {
  listAchievements,
  unlockAchievement,
} from '@overworld/contract/achievements/achievements';
import type {
  EventViolation as ContractViolation,
  trackEvents,
} from '@overworld/contract/events/track';
import type { getLeaderboard, submitScore } from '@overworld/contract/leaderboards/leaderboards';
import type {
  getLeaderboardAround,
  listLeaderboardPlayers,
} from '@overworld/contract/leaderboards/neighbours';
import type { claimMessage, listMessages } from '@overworld/contract/messages/messages';
import type { postMessage } from '@overworld/contract/messages/sending';
import type { BodyOf, SuccessOf } from '@overworld/contract/operation';
import type { listPlayerMerges, mergePlayers } from '@overworld/contract/players/merges';
import type { exportOwnPlayer } from '@overworld/contract/players/own-data';
import type {
  addPlayerTag,
  getPlayer,
  getPlayerTimeline,
  identifyPlayer,
} from '@overworld/contract/players/players';
import type { verifyPlayer } from '@overworld/contract/players/verified-player';
import type { getConfig } from '@overworld/contract/remote-config/config';
import type { getSave, listSaveSlots, putSave } from '@overworld/contract/saves/saves';
import type { changeStats, listStats } from '@overworld/contract/stats/stats';
import type {
  AchievementList,
  EventViolation,
  LeaderboardPage,
  LeaderboardPlayers,
  MessageClaim,
  MessageList,
  PlayerProperties,
  PlayerTags,
  QueuedEvent,
  RemoteConfig,
  Save,
  SaveSlot,
  SubmittedScore,
  Unlock,
} from '../src/overworld.ts';
import type {
  ChangedStats,
  ConfigValues,
  MergedPlayers,
  NewMessage,
  PlayerDetail,
  PlayerExport,
  PlayerMerge,
  SentMessage,
  ServerEvent,
  Stat,
  Timeline,
  TrackedEvents,
  VerifiedPlayer,
} from '../src/server/server.ts';

type Exactly<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/**
 * Simplifies a type, so that equal types can be compared: writes out intersections, and replaces `object`
 * and records by `Anything`.
 */
type Plain<T> = T extends (infer E)[]
  ? Plain<E>[]
  : T extends object
    ? keyof T extends never
      ? Anything
      : string extends keyof T
        ? Anything
        : { [K in keyof T]: Plain<T[K]> }
    : T;
type Anything = { [key: string]: unknown };
type Same<A, B> = Exactly<Plain<A>, Plain<B>>;
const hold = <_Truth extends true>() => undefined;

test('the types of answers and requests match the contract', () => {
  hold<Same<SuccessOf<typeof identifyPlayer>, PlayerProperties>>();
  hold<Same<SuccessOf<typeof addPlayerTag>, PlayerTags>>();
  hold<Same<SuccessOf<typeof getSave>, Save>>();
  hold<Same<SuccessOf<typeof putSave>, Omit<Save, 'data'> & { success: true }>>();
  hold<Same<SuccessOf<typeof listSaveSlots>, { slots: SaveSlot[] }>>();
  hold<Same<SuccessOf<typeof unlockAchievement>, Unlock>>();
  hold<Same<SuccessOf<typeof listAchievements>, AchievementList>>();
  hold<Same<NonNullable<SuccessOf<typeof listMessages>>, MessageList>>();
  hold<Same<SuccessOf<typeof claimMessage>, MessageClaim>>();
  hold<Same<SuccessOf<typeof submitScore>, SubmittedScore>>();
  hold<Same<NonNullable<SuccessOf<typeof getConfig>>, Omit<RemoteConfig, 'isStale'>>>();
  hold<Same<Omit<SuccessOf<typeof getLeaderboard>, 'player' | 'around'>, LeaderboardPage>>();
  hold<Same<SuccessOf<typeof getLeaderboardAround>, LeaderboardPage>>();
  hold<Same<SuccessOf<typeof listLeaderboardPlayers>, LeaderboardPlayers>>();
  hold<Same<ContractViolation, EventViolation>>();
  type Event = Extract<BodyOf<typeof trackEvents>, unknown[]>[number];
  const event: Event = {} as QueuedEvent;
  void event;
});

test('the types of the client for servers match the contract', () => {
  hold<Same<SuccessOf<typeof verifyPlayer>, VerifiedPlayer>>();
  hold<Same<BodyOf<typeof postMessage>, NewMessage>>();
  hold<Same<SuccessOf<typeof postMessage>, SentMessage>>();
  hold<Same<SuccessOf<typeof getPlayer>, PlayerDetail>>();
  hold<Same<SuccessOf<typeof getPlayerTimeline>, Timeline>>();
  hold<Same<SuccessOf<typeof trackEvents>, TrackedEvents>>();
  hold<Same<NonNullable<SuccessOf<typeof getConfig>>, ConfigValues>>();
  hold<Same<SuccessOf<typeof changeStats>, ChangedStats>>();
  hold<Same<SuccessOf<typeof listStats>, { stats: Stat[] }>>();
  hold<Same<SuccessOf<typeof mergePlayers>, MergedPlayers>>();
  hold<
    Same<SuccessOf<typeof listPlayerMerges>, { merges: PlayerMerge[]; next_cursor: string | null }>
  >();
  const exported: PlayerExport = {} as SuccessOf<typeof exportOwnPlayer>;
  type Event = Extract<BodyOf<typeof trackEvents>, unknown[]>[number];
  const event: Event = {} as Omit<ServerEvent, 'properties'> & { properties: Anything };
  void [exported, event];
});
