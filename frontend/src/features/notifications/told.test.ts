import { beforeEach, expect, test, vi } from 'vitest';
import type { Ticket } from '@/features/tickets/api';
import type { Arrival } from './rules';
import { noteTold, wasTold } from './told';

const window = (id: number, closesAt: string): Arrival => ({
  message: null,
  ticket: { id } as Ticket,
  closesAt,
});

beforeEach(() => localStorage.clear());

test('a window is told once to each user, whatever form its time has', () => {
  const first = window(1, '2026-11-30T12:40:00.000Z');
  expect(wasTold(7, first)).toBe(false);
  noteTold(7, first);
  expect(wasTold(7, window(1, '2026-11-30T12:40:00+00:00'))).toBe(true);
  expect(wasTold(8, first)).toBe(false);
  expect(wasTold(7, window(2, first.closesAt ?? ''))).toBe(false);
  // The contact has written again.
  expect(wasTold(7, window(1, '2026-12-01T09:00:00Z'))).toBe(false);
});

test('the oldest are forgotten, and what cannot be read counts as nothing', () => {
  for (let id = 0; id <= 200; id += 1) noteTold(7, window(id, '2026-11-30T12:40:00Z'));
  expect(wasTold(7, window(0, '2026-11-30T12:40:00Z'))).toBe(false);
  expect(wasTold(7, window(1, '2026-11-30T12:40:00Z'))).toBe(true);
  localStorage.setItem('toldWindows:7', '{"broken');
  expect(wasTold(7, window(1, '2026-11-30T12:40:00Z'))).toBe(false);
});

test('a storage that takes nothing stops nothing', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(() => noteTold(7, window(1, '2026-11-30T12:40:00Z'))).not.toThrow();
});
