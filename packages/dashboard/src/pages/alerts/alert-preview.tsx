import { TrialResult } from '../../reports/trials/trial-result.tsx';
import { useTrial } from '../../reports/trials/use-trial.ts';
import type { AlertBody } from './alert-values.ts';

/** Says whether the rule would have held for the last finished period. */
export function AlertPreview({ body }: { body: AlertBody }) {
  const { metric, metric_key, event_name, period } = body;
  const { comparison, threshold, baseline, environment } = body;
  // Without its name, which may still be empty, and without its recipients.
  const definition = { metric, metric_key, event_name, period, comparison, threshold, baseline };
  const isWhole = typeof threshold === 'number' && !Number.isNaN(threshold);
  const document = { kind: 'alert' as const, key: `${environment}/Trial`, definition };
  const trial = useTrial(isWhole ? document : null, environment);
  return <TrialResult trial={trial} idle="Enter a number to see whether the alert would fire." />;
}
