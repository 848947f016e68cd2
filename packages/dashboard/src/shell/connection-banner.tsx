import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useConnectionProblem } from '../api/connection.ts';
import { queryClient } from '../api/query-client.ts';
import classes from './shell.module.css';

/** Warns while the dashboard cannot reach the server. */
export function ConnectionBanner() {
  const problem = useConnectionProblem();
  if (problem === null) return null;
  return (
    <div className={classes.banner} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span>{problem}. Nothing you typed is lost.</span>
      <Button size="compact-xs" variant="default" onClick={() => queryClient.refetchQueries()}>
        Try again
      </Button>
    </div>
  );
}
