import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation, useNavigate, type Location } from 'react-router';
import { expect, test, vi } from 'vitest';
import { StillLink, StillLinks } from './StillLink';

const Where = () => {
  const { pathname, search, state } = useLocation() as Location<unknown>;
  return <output>{`${pathname}${search} ${JSON.stringify(state)}`}</output>;
};

const Elsewhere = () => {
  const navigate = useNavigate();
  return <button onClick={() => void navigate('/elsewhere')}>away</button>;
};

function open() {
  const drawn = vi.fn<() => void>();
  const Words = () => {
    drawn();
    return 'ticket';
  };
  const words = (
    <StillLink to="/tickets/1?tab=open" state={{ writes: true }}>
      <Words />
    </StillLink>
  );
  render(
    <MemoryRouter initialEntries={['/tickets']}>
      <StillLinks>
        {words}
        <Elsewhere />
        <Where />
      </StillLinks>
    </MemoryRouter>,
  );
  return drawn;
}

test('a click opens the page, with its state', () => {
  open();
  fireEvent.click(screen.getByRole('link'));
  expect(screen.getByRole('status').textContent).toContain('/tickets/1?tab=open {"writes":true}');
});

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }])(
  'a click with %o is the browser’s',
  (keys) => {
    open();
    const isLeft = fireEvent.click(screen.getByRole('link'), keys);
    expect(isLeft).toBe(true);
    expect(screen.getByRole('status').textContent).toContain('/tickets null');
  },
);

test('a change of the address renders no link again', () => {
  const drawn = open();
  fireEvent.click(screen.getByText('away'));
  expect(screen.getByRole('status').textContent).toContain('/elsewhere');
  expect(drawn).toHaveBeenCalledOnce();
});
