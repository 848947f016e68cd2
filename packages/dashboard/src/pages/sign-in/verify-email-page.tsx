import { ConfirmLink } from './confirm-link.tsx';

export const Component = () => (
  <ConfirmLink
    route="POST /v1/auth/verify-email"
    title="Verify your e-mail address"
    action="Verify the address"
    doneTitle="Your address is verified"
    to="/"
    link="Go to your games"
    button="Go to your games"
  />
);
