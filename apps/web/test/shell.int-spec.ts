import { beforeEach, describe, expect, it } from '@jest/globals';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { threadWire } from './fake-data.ts';
import type { FakeGateway } from './fake-gateway.ts';
import { useWebBrowser } from './web-browser.ts';

const web = useWebBrowser();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const slug = 'heat-pump-retrofit';
let gateway: FakeGateway;
let page: Page;
const take = (): void => { ({ gateway, page } = web); };
beforeEach(take);

const named = (name: string): Locator => page.locator('.threads').getByRole('link', { name });
const open = async (address = web.thread()): Promise<void> => { await page.goto(address); await page.getByLabel('Message', { exact: true }).waitFor(); await named('Night tariff').waitFor({ state: 'attached' }); };
/** Outside of any field, where Ctrl counts at once. */
const leaveField = (): Promise<void> => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
const menu = async (of: string, item: string): Promise<void> => { await page.getByRole('button', { name: `Menu of ${of}` }).click(); await page.getByRole('menuitem', { name: item }).click(); };
const left = (): string[] => gateway.threads[slug]!.map((thread) => thread.slug);
const sent = (method: string): string[] => gateway.requests.filter((each) => each.method === method).map((each) => each.path);
const serious = async (): Promise<string[]> => {
  await page.waitForTimeout(300); // what appears is not to be measured half there
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  return violations.filter((each) => each.impact === 'serious' || each.impact === 'critical').map((each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(' | ')}`);
};
const deletion = 'Are you sure you want to delete this thread? All of its chats will be deleted. You cannot undo this.';

describe('threads of another device', () => {
  /** Told until it is seen: the page's own connection may still be on its way. */
  const tell = async (change: 'created' | 'deleted' | 'restored', slugs: string[], isSeen: () => Promise<boolean>): Promise<void> => {
    while (!(await isSeen())) {
      gateway.change({ type: 'threads.changed', workspaceId: 1, change, slugs });
      await page.waitForTimeout(200);
    }
  };
  it('come, go and come back, and an open one that was deleted gives way to the chat of its workspace', async () => {
    await open();
    const isThere = async (name: string): Promise<boolean> => (await named(name).count()) > 0;
    const shownThread = gateway.threads[slug]!.find((thread) => thread.slug === 'flow')!;
    gateway.threads[slug]!.push(threadWire(91, 'Made elsewhere', 'elsewhere'));
    await tell('created', ['elsewhere'], () => isThere('Made elsewhere'));
    gateway.threads[slug] = gateway.threads[slug]!.filter((thread) => thread !== shownThread);
    await tell('deleted', ['flow'], () => Promise.resolve(new URL(page.url()).pathname === `/workspace/${slug}`));
    await named(shownThread.name).waitFor({ state: 'detached' });
    gateway.threads[slug].push(shownThread);
    await tell('restored', ['flow'], () => isThere(shownThread.name));
  });
});

describe('threads in the sidebar', () => {
  it('are the default thread, the named ones shortened to 25 characters with the full name as title, and New Thread', async () => {
    gateway.threads[slug]!.push(threadWire(14, 'Balancing the risers of block seven', 'long'));
    await open();
    expect(await page.locator('.threads').locator('a, button.nav').allInnerTexts()).toEqual(['Default thread', 'Flow temperature, blocks', 'Night tariff operation', 'Noise in the courtyards', 'Balancing the risers of b…', 'New Thread']);
    expect(await page.getByTitle('Balancing the risers of block seven', { exact: true }).count()).toBe(1);
    await page.locator('.threads').getByRole('button', { name: 'New Thread', exact: true }).click();
    await page.waitForURL('**/t/thread-4');
    gateway.shell.refuse = { kind: 'new', words: 'too many' };
    await page.locator('.threads').getByRole('button', { name: 'New Thread', exact: true }).click();
    await page.getByText('Could not create thread - too many').waitFor();
  });
  it('can be marked while Ctrl or Meta is held; letting go clears all marks', async () => {
    await open();
    for (const key of ['Control', 'Meta']) {
      await leaveField();
      expect(await page.getByRole('checkbox', { name: /^Mark/ }).count()).toBe(0);
      await page.keyboard.down(key);
      await named('Night tariff').click();
      await page.getByRole('checkbox', { name: 'Mark Noise in the courtyards' }).click();
      await page.getByRole('button', { name: 'Delete Selected' }).waitFor();
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
      await named('Night tariff').click();
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1);
      await page.keyboard.up(key);
      await page.getByRole('button', { name: 'Delete Selected' }).waitFor({ state: 'detached' });
      await page.keyboard.down(key);
      await page.getByRole('checkbox').first().waitFor();
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
      await page.keyboard.up(key);
    }
    expect([page.url().endsWith('/t/flow'), sent('DELETE')]).toEqual([true, []]);
  });
  it('are not marked by a shortcut while one writes, but by holding the key there too', async () => {
    await open();
    await page.getByLabel('Message', { exact: true }).fill('Some words');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.waitForTimeout(500);
    expect(await page.getByRole('checkbox', { name: /^Mark/ }).count()).toBe(0);
    await page.keyboard.up('Control');
    await page.keyboard.down('Control');
    await page.getByRole('checkbox', { name: 'Mark Night tariff operation' }).waitFor();
    await page.keyboard.up('Control');
    await page.getByRole('checkbox', { name: 'Mark Night tariff operation' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Some words');
  });
  it('go together, and the chat of the workspace opens where the open one was among them', async () => {
    await open();
    await leaveField();
    await page.keyboard.down('Control');
    await named('Noise').click();
    await named('Flow temperature').click();
    await page.getByRole('button', { name: 'Delete Selected' }).click();
    await page.keyboard.up('Control');
    await page.waitForURL(`**/workspace/${slug}`);
    await named('Noise').waitFor({ state: 'detached' });
    expect([left(), sent('DELETE')]).toEqual([['night'], [`/workspace/${slug}/thread-bulk-delete`]]);
    await page.getByText('Thread deleted successfully!').waitFor();
  });
  it('stay where the open one is not among them', async () => {
    await open();
    await leaveField();
    await page.keyboard.down('Control');
    await named('Noise').click();
    await page.getByRole('button', { name: 'Delete Selected' }).click();
    await page.keyboard.up('Control');
    await page.getByText('Thread deleted successfully!').waitFor();
    await named('Noise').waitFor({ state: 'detached' });
    expect([left(), page.url().endsWith('/t/flow')]).toEqual([['flow', 'night'], true]);
  });
  it('are asked for before one goes, with the exact words; it stays marked as deleted for half a second', async () => {
    await web.open({ reducedMotion: 'reduce' });
    take();
    await open();
    await menu('Noise', 'Delete Thread');
    await page.getByText(deletion, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await menu('Noise', 'Delete Thread');
    await page.getByRole('button', { name: 'Delete Thread' }).click();
    const gone = page.locator('.threads .is-gone');
    await gone.waitFor();
    const from = Date.now();
    expect(await gone.evaluate((row) => getComputedStyle(row).animationName)).toBe('none');
    await gone.waitFor({ state: 'detached' });
    expect(Date.now() - from).toBeGreaterThan(250);
    await page.getByText('Thread deleted successfully!').waitFor();
    expect([left(), sent('DELETE'), page.url().endsWith('/t/flow')]).toEqual([['flow', 'night'], [`/workspace/${slug}/thread/noise`], true]);
    gateway.shell.refuse = { kind: 'delete', words: 'no' };
    await menu('Night', 'Delete Thread');
    await page.getByRole('button', { name: 'Delete Thread' }).click();
    await page.getByText('Thread could not be deleted!').waitFor();
    expect(await named('Night tariff').count()).toBe(1);
  });
  it('are renamed; blank or cancelled does nothing, and a failure says why and keeps what was typed', async () => {
    await open();
    await menu('Night', 'Rename');
    const field = page.getByRole('textbox', { name: 'Name' });
    await field.fill('   ');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await menu('Night', 'Rename');
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
    expect(sent('POST').filter((path) => path.endsWith('/update'))).toEqual([]);
    gateway.shell.refuse = { kind: 'rename', words: 'the name is taken' };
    await menu('Night', 'Rename');
    await field.fill('Cheap hours');
    await page.keyboard.press('Enter');
    await page.getByText('Thread could not be updated! the name is taken').waitFor();
    expect(await field.inputValue()).toBe('Cheap hours');
    await page.keyboard.press('Enter');
    await named('Cheap hours').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Menu of Cheap hours');
  });
  it('take the name that another tab or device gave them', async () => {
    await open();
    gateway.change({ type: 'thread.renamed', workspaceId: 1, threadId: 12, slug: 'night', name: 'Renamed elsewhere' });
    await named('Renamed elsewhere').waitFor();
    gateway.threads[slug]!.unshift(threadWire(40, 'Made elsewhere', 'made'));
    gateway.change({ type: 'thread.renamed', workspaceId: 1, threadId: 40, slug: 'made', name: 'Made elsewhere' });
    await named('Made elsewhere').waitFor();
  });
  it('are chosen and deleted with fingers', async () => {
    await web.open(phone);
    take();
    await page.goto(web.thread());
    await page.getByRole('button', { name: 'Open sidebar' }).tap();
    await page.getByRole('button', { name: 'Menu of Noise' }).tap();
    await page.getByRole('menuitem', { name: 'Select threads' }).tap();
    await page.getByRole('checkbox', { name: 'Mark Night tariff operation' }).tap();
    await page.getByRole('button', { name: 'Delete Selected' }).tap();
    await page.getByText('Are you sure you want to delete these threads? All of their chats will be deleted. You cannot undo this.').waitFor();
    await page.getByRole('button', { name: 'Delete 2 threads' }).tap();
    await page.getByText('Thread deleted successfully!').waitFor();
    expect(left()).toEqual(['flow']);
    expect(await page.getByRole('checkbox', { name: /^Mark/ }).count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

describe('deleted threads', () => {
  it('can be brought back for as long as the instance keeps them, and go for good', async () => {
    gateway.shell.trashDays = 14;
    await open();
    await menu('Noise', 'Delete Thread');
    await page.getByText('Are you sure you want to delete this thread? All of its chats will be deleted. You can bring it back for 14 days.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete Thread' }).click();
    await menu('Night', 'Delete Thread');
    await page.getByRole('button', { name: 'Delete Thread' }).click();
    await page.getByRole('button', { name: 'Deleted threads' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deleted threads' });
    await dialog.getByText('Each can be brought back for 14 days.').waitFor();
    await dialog.getByText('gone for good in 14 days').first().waitFor();
    expect(await serious()).toEqual([]);
    await dialog.getByRole('button', { name: 'Restore Noise in the courtyards' }).click();
    await page.locator('.threads a[href$="/t/noise"]').waitFor();
    await dialog.getByRole('button', { name: 'Delete Night tariff operation for good' }).click();
    await page.getByText(deletion, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await dialog.getByText('Nothing is here.').waitFor();
    expect([left(), gateway.shell.trash[slug]]).toEqual([['noise', 'flow'], []]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await menu('Heat-pump', 'Deleted threads');
    await dialog.waitFor();
  });
  it('are not spoken of where none are kept', async () => {
    await open();
    await page.getByRole('button', { name: 'Menu of Heat-pump' }).click();
    await page.getByRole('menuitem', { name: 'Documents' }).waitFor();
    expect(await page.getByText('Deleted threads').count()).toBe(0);
  });
});

describe('workspaces', () => {
  const listed = (): Promise<string[]> => page.locator('.ws > .wsrow .cut').allInnerTexts();
  const stored = (): Promise<string | null> => page.evaluate(() => localStorage.getItem('anythingllm-workspace-order'));
  it('stand in the order that this browser keeps, as existing clients keep it; new ones first', async () => {
    await page.addInitScript(() => { if (!localStorage.getItem('anythingllm-workspace-order')) localStorage.setItem('anythingllm-workspace-order', '[3,1]'); });
    await open();
    expect(await listed()).toEqual(['Tenant handbook', 'Supplier contracts', 'Heat-pump retrofit']);
  });
  it('are moved by the menu and by keys, and it is announced', async () => {
    await open();
    await menu('Heat-pump', 'Move down');
    expect([await listed(), await stored()]).toEqual([['Tenant handbook', 'Heat-pump retrofit', 'Supplier contracts'], '[2,1,3]']);
    await page.getByRole('status').filter({ hasText: 'Heat-pump retrofit is now 2 of 3.' }).waitFor({ state: 'attached' });
    await page.locator('.ws > .wsrow').getByRole('link', { name: 'Supplier contracts' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    expect([await listed(), await stored()]).toEqual([['Supplier contracts', 'Tenant handbook', 'Heat-pump retrofit'], '[3,2,1]']);
    await page.getByRole('status').filter({ hasText: 'Supplier contracts is now 1 of 3.' }).waitFor({ state: 'attached' });
    await page.reload();
    await named('Night').waitFor();
    expect(await listed()).toEqual(['Supplier contracts', 'Tenant handbook', 'Heat-pump retrofit']);
  });
  it('are dragged; Esc gives up, and dropping does not open what was dragged', async () => {
    await open();
    const row = (name: string): Locator => page.locator('.ws > .wsrow').getByRole('link', { name });
    const drag = async (name: string, to: string): Promise<void> => {
      const from = (await row(name).boundingBox())!;
      const goal = (await row(to).boundingBox())!;
      await page.mouse.move(from.x + 40, from.y + 12);
      await page.waitForTimeout(150);
      await page.mouse.down();
      await page.waitForTimeout(50);
      await page.mouse.move(from.x + 40, from.y - 4);
      await page.mouse.move(goal.x + 40, goal.y + 2, { steps: 4 });
    };
    await drag('Supplier contracts', 'Heat-pump retrofit');
    await page.locator('.ws[data-drop="before"]').waitFor();
    await page.mouse.up();
    expect([await listed(), await stored()]).toEqual([['Supplier contracts', 'Heat-pump retrofit', 'Tenant handbook'], '[3,1,2]']);
    await drag('Tenant handbook', 'Supplier contracts');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await page.waitForTimeout(100);
    expect([await stored(), page.url().endsWith('/t/flow') || page.url().endsWith('/tenant-handbook')]).toEqual(['[3,1,2]', true]);
    await row('Tenant handbook').click();
    await page.waitForURL('**/workspace/tenant-handbook');
  });
  it('show their picture, and their menu leads to what one may do', async () => {
    gateway.workspaces[1]!.pfpFilename = 'picture.webp';
    await open();
    await page.locator('.ws img.ws-picture').waitFor();
    expect(await page.locator('.ws img.ws-picture').count()).toBe(1);
    await page.getByRole('button', { name: 'Menu of Heat-pump' }).click();
    await page.getByRole('menuitem', { name: 'Documents' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Workspace settings', 'Documents', 'New thread', 'Move up', 'Move down', 'Rename', 'Delete workspace'].map((text) => expect.stringContaining(text)));
    await page.getByRole('menuitem', { name: 'Workspace settings' }).click();
    await page.waitForURL(`**/workspace/${slug}/settings/general-appearance`);
  });
});

describe('the palette', () => {
  const field = (): Locator => page.getByPlaceholder('Go to a workspace');
  const show = async (): Promise<void> => { await page.keyboard.press('Control+k'); await field().waitFor(); };
  const place = { slug, name: 'Heat-pump retrofit' };
  it('lists recent places first, not the one that is open', async () => {
    await open();
    await named('Night').click();
    await page.waitForURL('**/t/night');
    await page.locator('.ws').getByRole('link', { name: 'Tenant handbook' }).click();
    await page.waitForURL('**/tenant-handbook');
    await page.getByLabel('Message', { exact: true }).waitFor();
    await page.waitForTimeout(200);
    await show();
    const first = page.locator('.palette [cmdk-group]').first();
    expect(await first.locator('[cmdk-group-heading]').innerText()).toBe('Recent');
    expect(await first.locator('[cmdk-item]').allInnerTexts()).toEqual([expect.stringContaining('Night tariff operation'), expect.stringContaining('Flow temperature, blocks')]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/t/night');
  });
  it('finds workspaces, threads and messages from three characters on, once one pauses, and marks the words', async () => {
    gateway.shell.found = {
      workspaces: [{ slug: 'supplier-contracts', name: 'Supplier contracts' }], threads: [{ slug: 'flow', name: 'Flow temperature, blocks', workspace: place }],
      messages: [{ chatId: 101, threadSlug: 'night', threadName: 'Night tariff operation', workspace: place, excerpt: 'the radiators cover their room at 48 °C <b>and</b> no more', sentAt: Date.now() - 7_200_000 }],
    };
    await open();
    await show();
    await field().pressSequentially('ra');
    await page.waitForTimeout(500);
    expect(gateway.shell.terms).toEqual([]);
    await field().pressSequentially('diat', { delay: 30 });
    const message = page.getByRole('option', { name: /radiators cover their room/ });
    await message.waitFor();
    expect(gateway.shell.terms).toEqual(['radiat']);
    expect(await message.locator('mark').allInnerTexts()).toEqual(['radiat']);
    expect(await message.innerText()).toContain('<b>and</b>');
    expect(await page.locator('.palette [cmdk-group-heading]').allInnerTexts()).toEqual(['Workspaces', 'Threads', 'Messages']);
    expect(await serious()).toEqual([]);
  });
  it('leaves a search that is typed on, and says that it searches or that nothing was found', async () => {
    gateway.shell.searchTakes = 1200;
    await open();
    await show();
    await field().fill('abcd');
    await page.getByText('Searching').waitFor();
    while (!gateway.shell.terms.includes('abcd')) await page.waitForTimeout(30);
    await field().fill('abcdef');
    while (!gateway.shell.terms.includes('abcdef')) await page.waitForTimeout(30);
    await page.getByText('Nothing was found.').waitFor();
    expect(gateway.shell.abandoned).toContain('abcd');
  });
  it('opens the thread at the message, with the earlier pages that it takes', async () => {
    for (let n = 1; n <= 120; n += 1) gateway.addTurn(slug, 'night', { question: `Question ${n}.`, answer: `Answer ${n}.\n\n${'It goes on. '.repeat((n * 7) % 60)}` });
    const wanted = gateway.turns[`${slug}/night`]![14]!;
    gateway.shell.found = { workspaces: [], threads: [], messages: [{ chatId: wanted.id, threadSlug: 'night', threadName: 'Night tariff operation', workspace: place, excerpt: 'Question 15.', sentAt: Date.now() }] };
    await open();
    await show();
    await field().fill('question');
    await page.getByRole('option', { name: /Question 15\./ }).click();
    await page.waitForURL(`**/t/night#chat-${wanted.id}`);
    const log = page.getByRole('log');
    await log.getByText('Question 15.', { exact: true }).waitFor();
    await page.waitForTimeout(600);
    const box = (await log.boundingBox())!;
    const row = (await log.getByText('Question 15.', { exact: true }).boundingBox())!;
    expect(row.y - box.y).toBeGreaterThan(-5);
    expect(row.y - box.y).toBeLessThan(200);
  });
});

describe('a thousand threads', () => {
  beforeEach(() => { gateway.threads[slug] = [...gateway.threads[slug]!, ...Array.from({ length: 997 }, (_, n) => threadWire(1000 + n, `Conversation ${n + 1}`, `c${n + 1}`))]; });
  const rows = (): Promise<number> => page.locator('.threads .wsrow').count();
  it('draw those in view only, with the open one in view', async () => {
    await open();
    expect(await rows()).toBe(12);
    await page.getByRole('button', { name: 'Show 988 more' }).click();
    await page.locator('.thread-rows').waitFor();
    await named('Conversation 20').waitFor();
    expect(await rows()).toBeLessThan(70);
    expect(await page.locator('.side-scroll').evaluate((box) => box.scrollTop)).toBe(0); // the open one was in view
    await menu('Night', 'Rename');
    await page.getByRole('textbox', { name: 'Name' }).fill('Cheap hours');
    await page.keyboard.press('Enter');
    await named('Cheap hours').waitFor();
    await page.locator('.side-scroll').evaluate((box) => { box.scrollTop = box.scrollHeight; });
    await page.getByRole('button', { name: 'New Thread', exact: true }).waitFor();
    await named('Conversation 997').click();
    await page.waitForURL('**/t/c997');
    await page.goto(`${gateway.url}/workspace/${slug}/t/c500`);
    const current = page.locator('.threads [aria-current="page"]');
    await current.waitFor();
    await page.waitForTimeout(300);
    expect(await current.innerText()).toBe('Conversation 500');
    const [side, row] = [(await page.locator('.side-scroll').boundingBox())!, (await current.boundingBox())!];
    expect(row.y).toBeGreaterThanOrEqual(side.y);
    expect(row.y + row.height).toBeLessThanOrEqual(side.y + side.height);
    expect(await rows()).toBeLessThan(70);
    expect(await page.locator('.side *').count()).toBeLessThan(1500);
  });
  it('can all be marked and deleted at once', async () => {
    await open();
    await menu('Night', 'Select threads');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    const from = Date.now();
    await page.getByRole('button', { name: 'Delete Selected 1000' }).waitFor();
    expect(Date.now() - from).toBeLessThan(5000);
    await page.getByRole('button', { name: 'Delete Selected 1000' }).click();
    await page.getByRole('button', { name: 'Delete 1000 threads' }).click();
    await page.waitForURL(`**/workspace/${slug}`);
    expect(left()).toEqual([]);
  });
});

describe('for everyone', () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    it(`has no serious fault of accessibility: marks, menu, palette, ${colorScheme}`, async () => {
      await web.open({ colorScheme });
      take();
      gateway.shell.trashDays = 7;
      await open();
      await leaveField();
      await page.keyboard.down('Control');
      await named('Noise').click();
      await page.getByRole('button', { name: 'Delete Selected' }).waitFor();
      expect(await serious()).toEqual([]);
      await page.keyboard.up('Control');
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Go to a workspace').waitFor();
      expect(await serious()).toEqual([]);
    });
  }
});
