import { execFileSync } from 'node:child_process';

/** The tests that end processes run what production runs: the built program. */
export default function build(): void {
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
}
