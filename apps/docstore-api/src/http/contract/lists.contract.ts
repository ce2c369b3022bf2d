import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf, type Answered, type Client } from '../../test-service.fixture.ts';
import { expectError, type Api } from './api.ts';

/** What every database promises of lists and searches. */
export function listsContract(api: Api): void {
  const { send } = api;

  describe('lists', () => {
    let lister: Client;
    beforeAll(async () => {
      lister = await clientOf(api.service);
      for (let n = 0; n < 7; n++)
        await lister.create(`dir/f${n}.txt`, `word${n} common ${'x'.repeat(n)} Ünïcode`, { n: String(n) });
      await lister.create('100%_a\\b', 'percent 100%_x');
    });
    const list = (query: string) => lister.send('GET', `/v1/file${query}`);
    const names = async (query: string) =>
      ((await list(query)).json.files as { filename: string }[]).map(({ filename }) => filename).sort();

    it('page by cursor, each document once, without contents unless asked', async () => {
      covers('DOC-F.Document.contents');
      for (const sort of ['filename', '-filename', 'size', '-size', 'updated_at', '-updated_at']) {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: Answered = await list(
            `?limit=3&sort=${sort}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
          );
          expect(page.status).toBe(200);
          seen.push(...page.json.files.map(({ filename }: { filename: string }) => filename));
          cursor = page.json.next_cursor;
        } while (cursor !== null);
        expect(new Set(seen).size).toBe(8);
        expect(seen).toHaveLength(8);
        if (sort === 'filename') expect(seen).toEqual([...seen].sort());
      }
      const plain = await list('');
      expect(plain.json.files.every((file: object) => !('contents' in file))).toBe(true);
      expect((await list('?fields=contents')).json.files.every((file: object) => 'contents' in file)).toBe(
        true,
      );
    });

    it('lists can be limited by every time that RFC 3339 can write', async () => {
      for (const early of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00%2B23:59']) {
        expect(await names(`?updated_after=${early}`)).toHaveLength(8);
        expect(await names(`?updated_before=${early}`)).toEqual([]);
      }
      const late = '9999-12-31T23:59:59-23:59';
      expect(await names(`?updated_after=${late}`)).toEqual([]);
      expect(await names(`?updated_before=${late}`)).toHaveLength(8);
    });

    it('lists end a page before it holds more than 8 MiB of contents, and go on with the next', async () => {
      const owner = await clientOf(api.service);
      const contents = `needle${'x'.repeat(3 * 1024 * 1024)}`;
      for (const filename of ['a', 'b', 'c']) await owner.create(filename, contents);
      for (const search of ['', '&mode=regex&query=needle']) {
        const pages: string[][] = [];
        for (let cursor: string | null = '', path = ''; cursor !== null; path = `&cursor=${cursor}`) {
          const { json } = await owner.send('GET', `/v1/file?sort=filename&fields=contents${search}${path}`);
          const files = json.files as { filename: string; contents: string }[];
          expect(files.every((file) => file.contents === contents)).toBe(true);
          pages.push(files.map(({ filename }) => filename));
          cursor = json.next_cursor;
        }
        expect(pages).toEqual([['a', 'b'], ['c']]);
        const heads = (await owner.send('GET', `/v1/file?sort=filename${search}`)).json;
        expect(heads.files.map((file: { filename: string }) => file.filename)).toEqual(['a', 'b', 'c']);
        expect(heads.files.some((file: object) => 'contents' in file)).toBe(false);
      }
    });

    it('lists find by filename: exact, prefix, suffix and substring', async () => {
      covers('DOC-D.13');
      expect(await names('?filename=dir/f1.txt')).toEqual(['dir/f1.txt']);
      expect(await names('?filename=DIR/F1.TXT&case=insensitive')).toEqual(['dir/f1.txt']);
      expect(await names('?filename=dir/&filename_match=prefix')).toHaveLength(7);
      expect(await names('?filename=3.txt&filename_match=suffix')).toEqual(['dir/f3.txt']);
      expect(await names('?filename=f3&filename_match=substring')).toEqual(['dir/f3.txt']);
    });

    it('lists find by a glob of filenames', async () => {
      covers('DOC-D.13');
      expect(await names('?filename=dir/f[12].*&filename_match=glob')).toEqual(['dir/f1.txt', 'dir/f2.txt']);
      expect(await names('?filename=*.txt&filename_match=glob')).toEqual([]);
      expect(await names('?filename=**.txt&filename_match=glob')).toHaveLength(7);
      expect(await names('?filename=dir/**/f1.txt&filename_match=glob')).toEqual(['dir/f1.txt']);
      expect(await names('?filename=**/f1.txt&filename_match=glob')).toEqual(['dir/f1.txt']);
      expect(await names('?filename=dir/f{1,2}.txt&filename_match=glob')).toEqual([
        'dir/f1.txt',
        'dir/f2.txt',
      ]);
    });

    it('lists find LIKE’s characters in a filename as themselves', async () => {
      covers('DOC-D.13');
      for (const match of ['substring', 'prefix'])
        expect(await names(`?filename=100%25_&filename_match=${match}`)).toEqual(['100%_a\\b']);
      expect(await names('?filename=%25&filename_match=prefix')).toEqual([]);
      expect(await names(`?filename=${encodeURIComponent('a\\b')}&filename_match=suffix`)).toEqual([
        '100%_a\\b',
      ]);
    });

    it('search contents by substring, words and regular expression', async () => {
      covers('DOC-D.12');
      expect(await names('?mode=substring&query=word3')).toEqual(['dir/f3.txt']);
      expect(await names('?mode=substring&query=WORD3')).toEqual([]);
      expect(await names('?mode=substring&query=WORD3&case=insensitive')).toEqual(['dir/f3.txt']);
      expect(await names('?mode=substring&query=%C3%9CN%C3%8F&case=insensitive')).toHaveLength(7);
      expect(await names('?mode=substring&query=100%25_')).toEqual(['100%_a\\b']);
      expect(await names('?mode=words&query=common+WORD5')).toEqual(['dir/f5.txt']);
      expect(await names('?mode=words&query=comm')).toEqual([]);
      expect(await names(`?mode=regex&query=${encodeURIComponent('word[24] common')}`)).toEqual([
        'dir/f2.txt',
        'dir/f4.txt',
      ]);
      expect(await names(`?mode=regex&query=${encodeURIComponent('^WORD6\\b')}&case=insensitive`)).toEqual([
        'dir/f6.txt',
      ]);
      expect(await names('?min_size=28&max_size=28')).toHaveLength(1);
    });

    it('lists return 400 for unknown parameters and 501 for semantic', async () => {
      covers('DOC-E.bad_request', 'DOC-E.not_implemented');
      for (const query of [
        'mode=fuzzy',
        'mode=substring',
        'mode=words&query=%20!',
        'query=x',
        'filename=x&filename_match=regex',
        'case=maybe',
        'limit=0',
        'limit=201',
        'limit=1.5',
        'limit=1&limit=2',
        'sort=name',
        'cursor=x.y',
        'updated_after=yesterday',
        'min_size=-1',
        'fields=all',
        'unknown=1',
        'filename=a[b&filename_match=glob',
        'filename=a{b,c&filename_match=glob',
        'filename=a%5C&filename_match=glob',
        'mode=regex&query=(',
        'mode=regex&query=(a%7B1000%7D)%7B1000%7D',
        'mode=substring&query=%00',
        `mode=substring&query=${'x'.repeat(1025)}`,
      ]) {
        const response = await list(`?${query}`);
        expect([query, response.status, response.json.error.code]).toEqual([query, 400, 'bad_request']);
      }
      expectError(await list('?mode=semantic&query=x'), 501, 'not_implemented');
    });

    it('lists find words of scripts that write no spaces', async () => {
      covers('DOC-D.30');
      const owner = await clientOf(api.service);
      await owner.create('ja', '日本語テキスト、とabc。');
      await owner.create('zh', '检索中文文本');
      await owner.create('th', 'ภาษาไทย');
      const words = async (query: string) => {
        const { json } = await owner.send('GET', `/v1/file?mode=words&query=${encodeURIComponent(query)}`);
        return (json.files as { filename: string }[]).map(({ filename }) => filename);
      };
      expect(await words('日本語')).toEqual(['ja']);
      expect(await words('テキスト ABC')).toEqual(['ja']);
      expect(await words('中文')).toEqual(['zh']);
      expect(await words('文')).toEqual(['zh']);
      expect(await words('ไทย')).toEqual(['th']);
      expect(await words('本日')).toEqual([]);
    });

    it('a search shows on request the lines on which its matches begin', async () => {
      covers('DOC-D.55');
      const owner = await clientOf(api.service);
      const long = `${'x'.repeat(150)}😀needle${'y'.repeat(300)}`;
      const contents = `İ first Needle, needle\nnone\n${long}\nΟΔΟΣ needles 日本語\n`;
      await owner.create('haystack', contents);
      await owner.create('other', 'none here');
      const find = async (query: string, matches = 20) => {
        const { status, json } = await owner.send('GET', `/v1/file?${query}&matches=${matches}`);
        expect([query, status]).toEqual([query, 200]);
        return (json.files as { contents?: string; matches: { line: number; snippet: string }[] }[]).map(
          ({ contents: shown, ...file }) => [shown, file.matches.map(({ line, snippet }) => [line, snippet])],
        );
      };
      const one = [1, 'İ first Needle, needle'];
      const three = [3, `${'x'.repeat(78)}😀needle${'y'.repeat(154)}`];
      const four = [4, 'ΟΔΟΣ needles 日本語'];
      expect(await find('mode=substring&query=needle')).toEqual([[undefined, [one, three, four]]]);
      expect(await find('mode=substring&query=needle', 2)).toEqual([[undefined, [one, three]]]);
      expect(await find('mode=substring&query=Needle&fields=contents')).toEqual([[contents, [one]]]);
      expect(
        await find(`mode=substring&case=insensitive&query=${encodeURIComponent('οδος NEEDLES')}`),
      ).toEqual([[undefined, [four]]]);
      expect(await find('mode=words&query=NEEDLE+first')).toEqual([[undefined, [one]]]);
      expect(await find(`mode=words&query=${encodeURIComponent('本語')}`)).toEqual([[undefined, [four]]]);
      expect(await find(`mode=regex&query=${encodeURIComponent('(?m)^.*?needle[sy]')}`)).toEqual([
        [undefined, [[3, long.slice(0, 240)], four]],
      ]);
      expect(await find(`mode=substring&query=${encodeURIComponent('none\nxx')}`)).toEqual([
        [undefined, [[2, 'none']]],
      ]);
      for (const query of ['matches=1', 'mode=regex&query=x&matches=0', 'mode=regex&query=x&matches=21'])
        expectError(await owner.send('GET', `/v1/file?${query}`), 400, 'bad_request');
    });

    it('lists accept RFC 3339 in either letter case', async () => {
      covers('DOC-D.31');
      expect(await names('?updated_after=2020-01-01t00:00:00z')).toHaveLength(8);
      expect(await names('?updated_before=2020-01-01t00:00:00.5%2b02:00')).toEqual([]);
    });

    it('a cursor is refused with another query and from another owner', async () => {
      const { next_cursor } = (await list('?limit=1')).json;
      const cursor = encodeURIComponent(next_cursor);
      expectError(await list(`?limit=1&sort=size&cursor=${cursor}`), 400, 'bad_request');
      expectError(await send('GET', `/v1/file?limit=1&cursor=${cursor}`), 400, 'bad_request');
      expect((await list(`?limit=2&cursor=${cursor}`)).status).toBe(200);
    });
  });
}
