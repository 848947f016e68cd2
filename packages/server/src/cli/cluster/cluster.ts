import { CommandError } from '../command.ts';
import type { Command } from '../command.ts';
import { addNode, removeNode } from './change-nodes.ts';
import { withCluster } from './connection.ts';
import type { Cluster } from './connection.ts';
import { moveGroup } from './move-group.ts';
import { rebalance } from './rebalance.ts';
import { showStatus } from './status.ts';

interface Request {
  /** The command-line arguments after the name of the action. */
  words: readonly string[];
  /** The node given with `--to`. */
  to: string | undefined;
  plan_only: boolean;
}

interface Action {
  usage: string;
  /** The number of arguments that the action needs. */
  words: number;
  run: (cluster: Cluster, request: Request) => Promise<void>;
}

const ACTIONS: Record<string, Action> = {
  status: { usage: '', words: 0, run: showStatus },
  'add-node': {
    usage: 'add-node <host:port>',
    words: 1,
    run: (cluster, { words }) => addNode(cluster, words[0]!),
  },
  'remove-node': {
    usage: 'remove-node <host:port>',
    words: 1,
    run: (cluster, { words }) => removeNode(cluster, words[0]!),
  },
  move: {
    usage: 'move <group> --to <host:port>',
    words: 1,
    run: (cluster, { words, to }) => moveGroup(cluster, words[0]!, to!),
  },
  rebalance: {
    usage: 'rebalance [--plan]',
    words: 0,
    run: (cluster, { plan_only }) => rebalance(cluster, { plan_only }),
  },
};

const USAGE = `[${Object.values(ACTIONS)
  .flatMap(({ usage }) => usage || [])
  .join(' | ')}]`;

export const clusterCommand: Command = {
  name: 'cluster',
  usage: '[add-node|remove-node|move|rebalance] [...]',
  summary: 'Show the nodes of a Citus cluster, and move groups of games between them',
  options: { to: { type: 'string' }, plan: { type: 'boolean' } },
  words: 0,
  optional_words: 2,
  async run(context) {
    const [name = 'status', ...words] = context.words;
    const { to, plan } = context.options as { to?: string; plan?: boolean };
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name]! : null;
    if (
      action === null ||
      words.length !== action.words ||
      (to !== undefined) !== (name === 'move') ||
      (plan === true && name !== 'rebalance')
    ) {
      throw new CommandError(`Usage: overworld cluster ${action?.usage || USAGE}`);
    }
    await withCluster(context, (cluster) =>
      action.run(cluster, { words, to, plan_only: plan === true }),
    );
  },
};
