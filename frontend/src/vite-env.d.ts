/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Where the API stands; `/api` of the same origin when unset. */
  readonly VITE_API_URL?: string;
}
