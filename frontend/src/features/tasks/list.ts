import { newClientId } from '@/lib/clientId';

/** Something to be done, of one person in one browser; times in milliseconds. */
export interface Task {
  id: string;
  text: string;
  done: boolean;
  createdAt: number;
  updatedAt: number;
}

export type Tasks = readonly Task[];

/** What a field takes of one. */
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

/** The list as it is stored; what is no task of ours is passed over. */
export function tasksOf(stored: string | null): Tasks {
  try {
    const values: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(values) ? values.filter(isTask) : [];
  } catch {
    return [];
  }
}

/** The list with a new task; blanks around its text go. */
export function withTask(tasks: Tasks, text: string, now = Date.now()): Tasks {
  const task = { id: newClientId(), text: text.trim(), done: false, createdAt: now };
  return [...tasks, { ...task, updatedAt: now }];
}

/** The list with another text for a task; one that another tab deleted is added anew. */
export function withText(tasks: Tasks, id: string, text: string, now = Date.now()): Tasks {
  if (!tasks.some((task) => task.id === id)) return withTask(tasks, text, now);
  return tasks.map((task) =>
    task.id === id ? { ...task, text: text.trim(), updatedAt: now } : task,
  );
}

/** The list with a task ticked, or not any more. */
export const withDone = (tasks: Tasks, id: string, done: boolean): Tasks =>
  tasks.map((task) => (task.id === id ? { ...task, done } : task));

/** The list without some. */
export const without = (tasks: Tasks, gone: Tasks): Tasks =>
  tasks.filter(({ id }) => !gone.some((task) => task.id === id));

/** The list with some that were deleted, where they stood. */
export const restored = (tasks: Tasks, back: Tasks): Tasks =>
  [...without(tasks, back), ...back].sort((left, right) => left.createdAt - right.createdAt);
