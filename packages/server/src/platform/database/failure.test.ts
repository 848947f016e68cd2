import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoreState } from './cluster/copy-errors.ts';
import { classifyFailure, isKnownRollback } from './failure.ts';

/** Makes an error as PostgreSQL reports it. */
const errorOf = (code: string, routine: string, message = 'failed'): Error =>
  Object.assign(new Error(message), { severity: 'ERROR', code, routine });

test('a cluster that has lost a node or its coordinator is unavailable, and may have committed', () => {
  const errors = [
    errorOf('08006', 'ReportConnectionError'),
    errorOf('57P01', 'ReportResultError'),
    errorOf('XX000', 'ErrorIfPostCommitFailedShardPlacements'),
    errorOf('XX000', 'MarkRemoteTransactionFailed'),
    errorOf('XX000', 'ReportCopyError'),
    errorOf('58030', 'ReportCopyError'),
    errorOf('XX000', 'ReportResultError'),
    errorOf('XX000', 'ProcessWaitEvents', 'postmaster was shut down, exiting'),
  ];
  for (const error of errors) {
    assert.equal(classifyFailure(error), 'unavailable');
    assert.equal(isKnownRollback(error), false);
  }
});

test('a statement whose group has moved meanwhile has changed nothing, and may be sent again', () => {
  const error = errorOf('CIINF', 'DefaultCitusNoticeReceiver');
  assert.equal(classifyFailure(error), 'unavailable');
  assert.equal(isKnownRollback(error), true);
});

test('an internal error of a PostgreSQL that is no cluster is not classified as unavailable', () => {
  const error = errorOf('XX000', 'exec_simple_query');
  assert.equal(classifyFailure(error), 'rolled_back');
  assert.equal(isKnownRollback(error), true);
});

test('an error while a cluster copies rows to a node is classified by its message', () => {
  const classified = [
    'duplicate key value violates unique constraint "players_pkey_102040"',
    'deadlock detected',
    'terminating connection due to administrator command',
    'Verbindung wird abgebrochen',
  ].map((message) => {
    const error = errorOf('XX000', 'ReportCopyError', message);
    restoreState(error);
    return [classifyFailure(error), isKnownRollback(error)];
  });
  assert.deepEqual(classified, [
    ['rolled_back', true],
    ['unavailable', true],
    ['unavailable', false],
    ['unavailable', false],
  ]);
});
