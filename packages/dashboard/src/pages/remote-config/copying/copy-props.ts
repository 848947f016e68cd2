import type { Environment } from '@overworld/contract/common';

/** The properties that all steps of a copy have. */
export interface CopyProps {
  from: Environment;
  to: Environment;
  onClose: () => void;
}
