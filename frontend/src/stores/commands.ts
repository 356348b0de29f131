import { create } from 'zustand';

/** Something that the open page can do, for the palette. */
export interface PageCommand {
  id: string;
  name: string;
  act: () => void;
}

/** The commands of the open page, none by default. */
export const useCommands = create<{ commands: readonly PageCommand[] }>(() => ({ commands: [] }));

export const offerCommands = (commands: readonly PageCommand[]) =>
  useCommands.setState({ commands });
