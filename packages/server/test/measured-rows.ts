import type { Database } from '../src/platform/database/database.ts';
import { inOneGroup } from '../src/platform/database/game-groups.ts';
import type { GroupedDatabase } from '../src/platform/database/game-groups.ts';
import { sql } from '../src/platform/database/sql.ts';
import type { Sql } from '../src/platform/database/sql.ts';

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/**
 * Returns the larger of two numbers: the rows that a step of a plan has read, and the rows that the steps
 * below it have read together.
 */
function countRows(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  const below = (plan.Plans ?? []).map(countRows);
  return Math.max(
    own,
    below.reduce((sum, each) => sum + each, 0),
  );
}

/**
 * Wraps the database of a game to count the rows that its reads take from tables, and the blocks. Each read
 * runs twice.
 */
export function measureRows(database: Database): {
  measured: GroupedDatabase;
  readRows: () => number;
  readBlocks: () => number;
} {
  let rows = 0;
  let blocks = 0;
  const explain = async (statement: Sql) => {
    const [explained] = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
    );
    const { Plan: plan } = explained!['QUERY PLAN'][0];
    rows += countRows(plan);
    blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  };
  const measured = inOneGroup({
    ...database,
    load: database.load,
    async query(statement) {
      await explain(statement);
      return database.query(statement);
    },
    async queryOne(statement) {
      await explain(statement);
      return database.queryOne(statement);
    },
  });
  return { measured, readRows: () => rows, readBlocks: () => blocks };
}
