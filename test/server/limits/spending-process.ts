// A process of its own that spends as long as it may, and says how often it was let.

import { openSpending } from '../../../src/server/limits/spending.ts';

const [file, times, dollars, limit] = process.argv.slice(2);
const spending = openSpending(file!, () => new Date());
let granted = 0;
for (let at = 0; at < Number(times); at++) {
  await spending.reserve('ada', Number(dollars), Number(limit)).then(
    () => (granted += 1),
    () => undefined,
  );
}
spending.close();
process.send!(granted, () => process.disconnect());
