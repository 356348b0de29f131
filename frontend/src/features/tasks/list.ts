import { newClientId } from '@/lib/clientId';

/** A task of one user in one browser; times in milliseconds. */
export interface Task {
  id: string;
  text: string;
  done: boolean;
  createdAt: number;
  updatedAt: number;
}

export type Tasks = readonly Task[];

/** The maximum length of a task's text. */
export const LONGEST = 500;

const isTask = (value: unknown): value is Task => {
  const task = value as Partial<Task> | null;
  return (
    typeof task?.id === 'string' &&
    typeof task.text === 'string' &&
    typeof task.done === 'boolean' &&
    typeof task.createdAt === 'number' &&
    typeof task.updatedAt === 'number'
  );
};

/** Parses the stored list and skips invalid entries. */
export function tasksOf(stored: string | null): Tasks {
  try {
    const values: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(values) ? values.filter(isTask) : [];
  } catch {
    return [];
  }
}

/** Adds a task; its text is trimmed. */
export function withTask(tasks: Tasks, text: string, now = Date.now()): Tasks {
  const task = { id: newClientId(), text: text.trim(), done: false, createdAt: now };
  return [...tasks, { ...task, updatedAt: now }];
}

/** Changes a task's text; a task that another tab has deleted is added again. */
export function withText(tasks: Tasks, id: string, text: string, now = Date.now()): Tasks {
  if (!tasks.some((task) => task.id === id)) return withTask(tasks, text, now);
  return tasks.map((task) =>
    task.id === id ? { ...task, text: text.trim(), updatedAt: now } : task,
  );
}

/** Sets whether a task is done. */
export const withDone = (tasks: Tasks, id: string, done: boolean): Tasks =>
  tasks.map((task) => (task.id === id ? { ...task, done } : task));

/** Removes tasks. */
export const without = (tasks: Tasks, gone: Tasks): Tasks =>
  tasks.filter(({ id }) => !gone.some((task) => task.id === id));

/** Puts deleted tasks back in their places. */
export const restored = (tasks: Tasks, back: Tasks): Tasks =>
  [...without(tasks, back), ...back].sort((left, right) => left.createdAt - right.createdAt);
