import { isContainer, parseOr } from '../../api/exact-json.ts';
import { describe, OPERATORS } from '../../ui/conditions/conditions.ts';
import type { PlayerCondition } from '../../ui/conditions/conditions.ts';

/** The players that the reports of a page are about, in the form that the API takes. */
export interface PlayerSelection {
  properties: PlayerCondition[];
  /** Groups of a report that was split by a property; the value is null for players without the property. */
  values: { property: string; value: string | null }[];
  tags: string[];
  without_tags: string[];
  segment: string | null;
}

/** A group of players that a split makes. */
export interface PlayerGroup {
  kind: 'value' | 'other' | 'none';
  value: string | null;
}

/** The parameters of the URL that limit and split reports. The API has parameters of the same names. */
export const PLAYER_PARAMETERS = ['players', 'split_by'] as const;

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** Reads the selection of players from the URL; malformed JSON selects all players. */
export function readSelection(text: string | null): PlayerSelection {
  const parsed = parseOr(text ?? '', null);
  const value = (isContainer(parsed) ? parsed : {}) as Record<string, unknown>;
  const properties = Array.isArray(value.properties) ? (value.properties as PlayerCondition[]) : [];
  return {
    properties: properties.filter((condition) =>
      OPERATORS.some((operator) => operator.value === condition?.operator),
    ),
    values: Array.isArray(value.values)
      ? (value.values as PlayerSelection['values']).filter(
          (each) => typeof each?.property === 'string',
        )
      : [],
    tags: textsOf(value.tags),
    without_tags: textsOf(value.without_tags),
    segment: typeof value.segment === 'string' ? value.segment : null,
  };
}

/** Writes a selection as JSON, without its empty members. An empty text selects all players. */
export function writeSelection(selection: PlayerSelection): string {
  const members = Object.entries(selection).filter(
    ([, value]) => value !== null && value.length > 0,
  );
  return members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members));
}

/** Describes each part of a selection except its conditions. `without` is the selection without the part. */
export function partsOf(selection: PlayerSelection): { words: string; without: PlayerSelection }[] {
  const { values, tags, without_tags, segment } = selection;
  const change = (changes: Partial<PlayerSelection>) => ({ ...selection, ...changes });
  return [
    ...values.map(({ property, value }, index) => ({
      words: `${property} ${value === null ? 'not set' : `is ${value}`}`,
      without: change({ values: values.toSpliced(index, 1) }),
    })),
    ...tags.map((tag) => ({
      words: `tag ${tag}`,
      without: change({ tags: tags.filter((each) => each !== tag) }),
    })),
    ...without_tags.map((tag) => ({
      words: `without tag ${tag}`,
      without: change({ without_tags: without_tags.filter((each) => each !== tag) }),
    })),
    ...(segment === null
      ? []
      : [{ words: `segment ${segment}`, without: change({ segment: null }) }]),
  ];
}

/** Describes each part of a selection, including its conditions. */
export const describeSelection = (selection: PlayerSelection): string[] => [
  ...selection.properties.map(describe),
  ...partsOf(selection).map(({ words }) => words),
];

/** Describes a split: `country`, `tag vip`, `segment Whales`. */
export function splitWords(split_by: string): string {
  const [by = '', ...rest] = split_by.split(':');
  const name = rest.join(':');
  return by === 'property' ? name : `${by} ${name}`;
}
