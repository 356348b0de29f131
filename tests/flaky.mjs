/** A reporter of Vitest that tells which tests passed only when they were run again. */
import { appendFileSync } from 'node:fs';

export default class Flaky {
  onTestCaseResult(test) {
    const result = test.result();
    if (result.state !== 'passed' || !test.diagnostic()?.flaky) return;
    const why = (result.errors ?? []).map((error) => error.stack ?? error.message).join('\n');
    const name = `${test.module.relativeModuleId} > ${test.fullName}`;
    const place = process.env.FLAKY_FILE;
    if (place) appendFileSync(place, `${JSON.stringify({ test: name, why })}\n`);
    console.log(`\n${why}\nFLAKY ${name}`);
  }
}
