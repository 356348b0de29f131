import { describe, expect, test, vi } from 'vitest';
import cases from './search.cases.json';
import { findDigits, findFolded, nameRank, foldText } from './search';

// The server's tests read the same table.
test.each(cases)('%j folds to %j', (text = '', folded = '') => {
  expect(foldText(text)).toBe(folded);
});

describe('finding', () => {
  const hit = (text: string, term: string) => {
    const span = findFolded(text, foldText(term));
    return span && text.slice(span.start, span.end);
  };

  test('a hit is shown as it was written', () => {
    expect(hit('O Orçamento de ontem', 'ORCAMENTO')).toBe('Orçamento');
    expect(hit('um cafe\u0301 forte', 'café')).toBe('cafe\u0301');
    expect(hit('na Straße 4', 'strasse')).toBe('Straße');
    expect(hit('👍🏽 Olá Zé', 'ola')).toBe('Olá');
  });

  test('white space of any length is one blank', () => {
    expect(hit('bom \n  dia', 'bom dia')).toBe('bom \n  dia');
  });

  test('a text that grows is not looked at each time', () => {
    const endsWith = vi.spyOn(String.prototype, 'endsWith');
    const long = 'ação  '.repeat(10_000);
    expect(hit(`${long}fim`, 'acao fim')).toBe('ação  fim');
    expect(endsWith).not.toHaveBeenCalled();
    endsWith.mockRestore();
  });

  test('what is not there is not found', () => {
    expect(hit('nada', 'tudo')).toBeNull();
    expect(findFolded('nada', '')).toBeNull();
  });

  test('digits are found through the marks of a telephone', () => {
    const phone = '+55 11 98765-4321';
    const span = findDigits(phone, '(11) 98765');
    expect(span && phone.slice(span.start, span.end)).toBe('11 98765');
    expect(findDigits(phone, 'maria 11')).toBeNull();
    expect(findDigits(phone, '777')).toBeNull();
  });
});

test('a name matches best at its beginning, then at that of a word, then inside', () => {
  expect(nameRank('Ana Prado', 'ana')).toBe(0);
  expect(nameRank('Édson', 'eds')).toBe(0);
  expect(nameRank('Ana Prado', 'pra')).toBe(1);
  expect(nameRank('Vendas (Praça)', 'praca')).toBe(1);
  expect(nameRank('Fernanda', 'nda')).toBe(2);
  expect(nameRank('Banana Ana', 'ana')).toBe(1);
  expect(nameRank('Ana Prado', 'prado an')).toBe(2);
  expect(nameRank('Ana', 'bruno')).toBeNull();
  expect(nameRank('Ana', '')).toBe(0);
});
