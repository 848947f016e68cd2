import type { Environment } from '@overworld/contract/common';

/** What each step of a copy knows. */
export interface CopyProps {
  from: Environment;
  to: Environment;
  onClose: () => void;
}
