import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { noCircles } from './eslint.circles.js';

const readonly = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

const crossFeature = {
  group: ['@/features/*/*', '!@/features/*/api'],
  message:
    "A feature may import another feature's api.ts and nothing else; inside it, use ./ paths.",
};

export default defineConfig(
  globalIgnores(['dist', 'src/lib/api/schema.d.ts']),
  js.configs.recommended,
  {
    files: ['public/*.js'],
    languageOptions: {
      globals: readonly(
        ...['document', 'localStorage', 'matchMedia', 'navigator', 'location'],
        ...['fetch', 'addEventListener', 'setInterval'],
      ),
    },
  },
  {
    files: ['public/sw.js'],
    languageOptions: {
      globals: readonly('self', 'caches', 'fetch', 'Request', 'Response', 'URL'),
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, reactHooks.configs.flat['recommended-latest']],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { imports: { rules: { 'no-circles': noCircles } }, regexp },
    rules: {
      // A text of a stranger is read in a time that grows with its length, not with its square.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      'imports/no-circles': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false } },
      ],
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['../../*'], message: 'Use @/.' }] },
      ],
    },
  },
  {
    files: ['src/{components,lib,stores,theme,i18n}/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@/features/*', '@/routes/*', '@/app/*', '**/features/**'],
              message: 'This layer stands below the features.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/features/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            crossFeature,
            { group: ['@/app/*', '../../*'], message: 'Features stand below app.' },
          ],
        },
      ],
    },
  },
  {
    // At a feature's own root even one step up is already another feature.
    files: ['src/features/*/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [crossFeature, { group: ['../*', '@/app/*'], message: 'Use @/.' }] },
      ],
    },
  },
);
