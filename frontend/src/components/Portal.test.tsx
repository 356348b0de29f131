import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Portal, PortalPlace, usePortalPlace } from './Portal';

function Page({ count }: { count: number }) {
  const { place, holder } = usePortalPlace();
  return (
    <PortalPlace value={place}>
      <main>
        {count}
        {holder}
      </main>
      <Portal>
        <input aria-label="Nome" />
      </Portal>
    </PortalPlace>
  );
}

test('who types in what floats goes on while the page behind it changes', () => {
  const { rerender } = render(<Page count={1} />);
  const field = screen.getByRole('textbox');
  expect(screen.getByRole('main').contains(field)).toBe(true);
  field.focus();
  rerender(<Page count={2} />);
  expect(document.activeElement).toBe(field);
});
