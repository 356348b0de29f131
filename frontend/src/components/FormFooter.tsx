import { Button } from './Button';
import { CancelButton } from './Dialog';

interface FormFooterProps {
  /** The primary action's verb. */
  submit: string;
  busy: boolean;
}

/** The buttons of a form dialog. */
export function FormFooter({ submit, busy }: FormFooterProps) {
  return (
    <>
      <CancelButton />
      <Button type="submit" loading={busy}>
        {submit}
      </Button>
    </>
  );
}
