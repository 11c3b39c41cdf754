// How does a report look on a phone, a tablet and a desktop, light and dark? `node screens.mjs REPORT.html FOLDER` writes a picture of each.

import { join } from "node:path";
import { launch, open } from "./tests/browser.mjs";

const SCREENS = { phone: [390, 844], tablet: [820, 1180], desktop: [1440, 900] };
const [report, folder] = process.argv.slice(2);

const browser = await launch();
for (const [name, [width, height]] of Object.entries(SCREENS)) {
  for (const colorScheme of ["light", "dark"]) {
    const { page, context } = await open(browser, report, { viewport: { width, height }, colorScheme });
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(folder, `page-${name}-${colorScheme}.png`) });
    await context.close();
  }
}
await browser.close();
