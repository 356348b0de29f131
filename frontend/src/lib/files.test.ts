import { expect, test } from 'vitest';
import { refusalOf } from './files';

const file = (name: string, type = '') => new File(['x'], name, { type });

test.each(['a.es', 'a.shtml', 'a.XHT', 'a.exe', 'a.exe.', 'a.exe ', 'a.unheard', 'a', 'a.svg'])(
  '%s may not be sent',
  (name) => {
    expect(refusalOf(file(name))).toEqual({ reason: 'forbidden', name });
  },
);

test.each([
  ['nota.xml', 'text/xml'],
  ['extrato.OFX', ''],
  ['proposta v1.2.pdf', 'application/pdf'],
  ['Conta 12.50', 'application/pdf'],
  ['foto.jpg', 'image/jpeg'],
])('%s may be sent', (name, type) => {
  expect(refusalOf(file(name, type))).toBeNull();
});
