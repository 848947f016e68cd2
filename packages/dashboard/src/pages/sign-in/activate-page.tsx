import { ConfirmLink } from './confirm-link.tsx';

export const Component = () => (
  <ConfirmLink
    route="POST /v1/auth/activate"
    title="Activate your account"
    action="Activate"
    doneTitle="Your account is active"
    to="/login"
    link="Back to login"
    button="Log in"
  />
);
