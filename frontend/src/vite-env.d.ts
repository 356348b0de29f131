/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The base URL of the API; `/api` on the same origin if unset. */
  readonly VITE_API_URL?: string;
}
