import { useEffect, useRef, useState } from 'react';

/** Focuses the first wrong field each time that a submission fails. */
export function useWrongField<Form extends HTMLElement>() {
  const form = useRef<Form>(null);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [attempts]);
  return { form, isTried: attempts > 0, attempt: () => setAttempts((count) => count + 1) };
}
