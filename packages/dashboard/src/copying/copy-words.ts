import { ENVIRONMENT_NAMES } from '../shell/game.ts';
import type { CopiedKind, CopyProps } from './copy-props.ts';

type Ends = Pick<CopyProps, 'from' | 'to'>;

interface CopyWords {
  /** The definitions of the kind, in a sentence. */
  noun: string;
  /** The page of the kind. */
  page: string;
  /** The heading above the plan. */
  heading: (ends: Ends) => string;
  /** The outcome for the definitions. */
  effect: (ends: Ends) => string;
}

export const COPY_WORDS: Readonly<Record<CopiedKind, CopyWords>> = {
  remote_config: {
    noun: 'config',
    page: 'config',
    heading: ({ to }) => `This changes what players get in ${to}`,
    effect: ({ from, to }) =>
      `${ENVIRONMENT_NAMES[to]} gets the whole config of ${from}, at once. What only ${to} has is removed from it. Its history keeps the version that it has now.`,
  },
  experiment: {
    noun: 'experiments',
    page: 'experiments',
    heading: ({ to }) => `This makes and changes experiments of ${to}`,
    effect: ({ from, to }) =>
      `Experiments that ${to} lacks become drafts there, and nobody takes part until you start them. Those that have the name of one in ${from} get its definition. All others stay.`,
  },
  alert: {
    noun: 'alerts',
    page: 'alerts',
    heading: ({ to }) => `This makes and changes alerts of ${to}`,
    effect: ({ from, to }) =>
      `Alerts that ${to} lacks are made, and tell no member until you choose whom. Those that have the name of one in ${from} get its rule, and keep the members that they tell. All others stay.`,
  },
};
