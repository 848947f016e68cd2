import { MASK } from '@overworld/contract/achievements/achievements';
import type { WritesFrom } from '@overworld/contract/players/verification';
import { progressOf } from './rules/unlock-rules.ts';
import type { StatValues, UnlockRule } from './rules/unlock-rules.ts';
import { localeChooser } from '../../platform/locale.ts';
import type { LocaleWish } from '../../platform/locale.ts';

/** An achievement as players can see it. */
export interface PublicAchievement {
  key: string;
  name: string;
  description: string;
  icon_url: string;
  points: number;
  hidden: boolean;
  archived: boolean;
}

/** The texts of an achievement in one language; a text that is missing is the default one. */
interface Translation {
  name?: string;
  description?: string;
}

/** An achievement with the fields that players do not see. */
export interface DefinedAchievement extends PublicAchievement {
  /** By the BCP 47 tags of their languages. */
  translations: Readonly<Record<string, Translation>>;
  unlock_when: UnlockRule;
  writes_from: WritesFrom;
}

/** Maps the key of each achievement that a player unlocked to the time of the unlock. */
export type UnlockTimes = ReadonlyMap<string, string>;

/** An achievement, prepared in one language. */
interface Entry {
  key: string;
  points: number;
  archived: boolean;
  hidden: boolean;
  rule: UnlockRule;
  /** The texts lack the closing brace, because the fields that depend on the player are added at the end. */
  masked: string;
  shown: string;
}

/**
 * The number of languages in which the lists of a game are kept at a time. A studio may invent languages, but
 * not fill the memory with them.
 */
const MAX_KEPT_LANGUAGES = 20;

/**
 * Prepares the JSON text of each achievement, both locked and unlocked. To make a list, the catalogue then
 * only joins texts. A list of 100 achievements takes 6 µs instead of 40.
 * @param achievements The achievements in the order of the list.
 */
export function createCatalogue(achievements: readonly DefinedAchievement[]) {
  const entries = achievements.map((achievement) => createEntry(achievement));
  const by_default = createList(entries, () => ({}));
  const translated = achievements.filter(({ translations }) => hasMembers(translations));
  const chooseLocale = localeChooser(
    new Set(translated.flatMap(({ translations }) => Object.keys(translations))),
  );
  const textsOf = new Map(translated.map(({ key, translations }) => [key, translations]));
  const lists = new Map<string, AchievementList>();

  const ruled = achievements.filter(
    ({ archived, unlock_when }) => !archived && unlock_when.length > 0,
  );
  const rules_by_stat = new Map<string, KeyedRule[]>();
  for (const { key, unlock_when: rule } of ruled) {
    const keyed = { key, rule };
    for (const { stat } of rule) {
      rules_by_stat.set(stat, [...(rules_by_stat.get(stat) ?? []), keyed]);
    }
  }

  const restricted = achievements.filter(({ writes_from }) => writes_from !== 'anyone');

  return {
    /**
     * Maps the key of an achievement to the callers that may unlock it. Achievements that any caller may
     * unlock are not in the map.
     */
    restricted: new Map(restricted.map(({ key, writes_from }) => [key, writes_from])),
    /** The rules of achievements that can be unlocked, by the statistics that they ask about. */
    rules_by_stat: rules_by_stat as ReadonlyMap<string, readonly KeyedRule[]>,
    /** True if lists for players show progress, for which the values of their statistics are read. */
    shows_progress: achievements.some(({ unlock_when }) => unlock_when.length > 0),
    /**
     * Gives the texts in the language that a request asks for. All are in one language, or in the default one.
     * Only languages of achievements are kept.
     */
    in(wish: LocaleWish): AchievementList {
      const locale = chooseLocale(wish);
      if (locale === null) return by_default;
      const kept = lists.get(locale);
      if (kept !== undefined) return kept;
      const made = createList(
        achievements.map((achievement, index) =>
          hasMembers(achievement.translations[locale])
            ? createEntry({ ...achievement, ...achievement.translations[locale] })
            : entries[index]!,
        ),
        (key) => textsOf.get(key)?.[locale] ?? {},
      );
      if (lists.size >= MAX_KEPT_LANGUAGES) lists.delete(lists.keys().next().value!);
      lists.set(locale, made);
      return made;
    },
  };
}

/** The rule of an achievement. */
interface KeyedRule {
  key: string;
  rule: UnlockRule;
}

/** A game's achievements, prepared for answers to clients. */
export type Catalogue = ReturnType<typeof createCatalogue>;

const NO_VALUES: StatValues = new Map();

const hasMembers = (object: object | undefined): boolean =>
  object !== undefined && Object.keys(object).length > 0;

function createEntry({
  archived,
  writes_from: _writers,
  translations: _texts,
  unlock_when: rule,
  ...achievement
}: DefinedAchievement): Entry {
  const { hidden, key, points } = achievement;
  const masked = hidden ? { ...achievement, name: MASK, description: MASK } : achievement;
  return {
    key,
    points,
    archived,
    hidden,
    rule,
    masked: JSON.stringify(masked).slice(0, -1),
    shown: JSON.stringify(achievement).slice(0, -1),
  };
}

/**
 * Makes the lists of a game in one language.
 * @param findTexts Gives the texts of an achievement that are not the default ones.
 */
function createList(entries: readonly Entry[], findTexts: (key: string) => Translation) {
  const catalogue = entries.filter(({ archived }) => !archived);
  return {
    findTexts,
    /** The list for a request that names no player, as JSON text; hidden achievements are masked. */
    text: joinList(
      catalogue.map(({ masked }) => `${masked}}`),
      catalogue.reduce((sum, { points }) => sum + points, 0),
      0,
    ),
    /**
     * Makes the list for one player, as JSON text.
     * @param values The player's statistics; they may be left out if `shows_progress` is false.
     */
    forPlayer(unlocked_at: UnlockTimes, values: StatValues = NO_VALUES): string {
      const texts: string[] = [];
      let total_points = 0;
      let unlocked_points = 0;
      for (const { key, points, archived, hidden, rule, masked, shown } of entries) {
        const at = unlocked_at.get(key);
        const isSecret = hidden && at === undefined;
        const progress = isSecret ? null : progressOf(rule, values);
        const end = `,"progress":${progress === null ? 'null' : JSON.stringify(progress)}}`;
        if (at === undefined) {
          if (archived) continue;
          texts.push(`${masked},"unlocked":false,"unlocked_at":null${end}`);
        } else {
          texts.push(`${shown},"unlocked":true,"unlocked_at":"${at}"${end}`);
          unlocked_points += points;
        }
        total_points += points;
      }
      return joinList(texts, total_points, unlocked_points);
    },
  };
}

type AchievementList = ReturnType<typeof createList>;

function joinList(texts: string[], total_points: number, unlocked_points: number): string {
  return `{"achievements":[${texts.join(',')}],"total_points":${total_points},"unlocked_points":${unlocked_points}}`;
}
