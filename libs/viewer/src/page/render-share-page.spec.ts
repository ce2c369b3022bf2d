import { describe, expect, it } from '@jest/globals';
import { analyze, type InvestigationInput, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { PANE_IDS, type PaneId, type ShareSnapshot } from '../snapshot.ts';
import { ASSETS, exampleInput, largeInput, snapshotOf } from '../snapshot.fixture.ts';
import { renderSharePage } from './render-share-page.tsx';

/** What a phone on a slow line loads in a few seconds. */
const DOCUMENT_BYTES_MAX = 1_000_000;
const EMPTY: InvestigationInput = { research_question: 'Nothing yet?', actors: [], subjects: [], claims: [] };
/** The first document of each pane, one after another. */
const render = (...snapshot: Parameters<typeof snapshotOf>) =>
  [...documentsOf(snapshotOf(...snapshot))]
    .filter(([address]) => !address.includes('page='))
    .map(([, html]) => html)
    .join('\n');

/** All documents of a share that its first one leads to, by their addresses. */
function documentsOf(snapshot: ShareSnapshot): ReadonlyMap<string, string> {
  const documents = new Map<string, string>();
  const draw = (address: string) => {
    const asked = new URLSearchParams(address);
    const pane = asked.get('pane') as PaneId;
    const html = renderSharePage(snapshot, { assets: ASSETS, pane, page: Number(asked.get('page') ?? 1) });
    documents.set(address, html);
    for (const [, next] of html.matchAll(/ href="(\?[^"#]*)/g)) {
      const other = next!.replaceAll('&amp;', '&');
      if (!documents.has(other)) draw(other);
    }
  };
  draw('?pane=overview');
  return documents;
}

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!);

/** Links to a place of the share that has no such element. */
function deadEnds(documents: ReadonlyMap<string, string>): string[] {
  const ids = new Map([...documents].map(([address, html]) => [address, new Set(idsOf(html))]));
  return [...documents].flatMap(([address, html]) =>
    [...html.matchAll(/ href="([^"#]*)#([^"]*)"/g)]
      .map(([, other, id]) => [other === '' ? address : other!.replaceAll('&amp;', '&'), id!] as const)
      .filter(([other, id]) => !ids.get(other)?.has(id))
      .map((place) => place.join('#')),
  );
}

/** The words of the page, without its markup. */
const wordsOf = (html: string) => html.replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' ');

const QUIET: InvestigationInput = {
  research_question: 'What is in the box?',
  actors: [{ id: 'a', name: 'Ann', source_type: 'Expert' }],
  subjects: [{ id: 's', name: 'Box', subject_type: 'thing' }],
  claims: [{ id: 'c1', actor_id: 'a', subject_id: 's', predicate: 'content', value: '', content: ' ' }],
  evidence: [
    { id: 'e1', claim_id: 'c1', content: 'It rattles.', valence: 'Refutes' },
    { id: 'e2', claim_id: 'c1', content: '', valence: 'Refutes' },
  ],
};

describe('the share page as text', () => {
  it('no sentence about a claim ends with two full stops, and the id of a claim comes last in its record', () => {
    const html = render({
      research_question: 'Is the bridge open?',
      actors: [
        { id: 'council', name: 'City council', source_type: 'Regulator' },
        { id: 'daily', name: 'The Daily', source_type: 'Journalist' },
      ],
      subjects: [{ id: 'bridge', name: 'North bridge', subject_type: 'structure' }],
      claims: ['true', 'false'].map((value) => ({
        id: `claim-${value}`,
        actor_id: value === 'true' ? 'council' : 'daily',
        subject_id: 'bridge',
        predicate: 'open',
        value,
        content: `The bridge is said to be ${value}.`,
      })),
    });
    expect(wordsOf(html)).toContain(
      'The fewest claims without which the answer would change (it would probably be false)',
    );
    expect(wordsOf(html)).not.toMatch(/[a-z]\.\.(?!\.)/);
    for (const [record] of html.matchAll(/<article class="claim-record".*?<\/article>/gs))
      expect(record).toMatch(/Id of the claim: <bdi[^>]*>claim-\w+<\/bdi><\/p><\/article>$/);
  });

  it('the share page shows that a value is empty, and names a claim without words by its id', () => {
    const html = render(QUIET);
    expect(wordsOf(html)).toContain('The content of the box is (empty)');
    expect(html).not.toMatch(/<a [^>]*class="claim-link"[^>]*><bdi[^>]*>\s*<\/bdi>/);
  });

  it('the share page names the value a verdict would be about where another would lead without a source', () => {
    covers('INV-V.3');
    const about = { subject_id: 's', predicate: 'content' };
    const words = wordsOf(
      render({
        ...QUIET,
        actors: [...QUIET.actors, { id: 'b', name: 'Bob', source_type: 'Journalist' }],
        claims: [
          { ...about, id: 'c1', actor_id: 'a', value: 'a cat', content: 'A cat!' },
          { ...about, id: 'c2', actor_id: 'b', value: 'a dog', content: 'A dog!' },
        ],
        evidence: [],
      }),
    );
    // The status stays, the value does not.
    expect(words).toMatch(
      /It is uncertain whether the content of the box is a cat or a dog; a cat leads \(chance \d\d %\)/,
    );
    expect(words).toContain('Without Ann, a dog would lead.');
    expect(words).not.toContain('No single source decides it');
  });

  it('the share page omits how firmly a verdict stands where nothing counts, and counts the sources that speak', () => {
    const [claim] = QUIET.claims;
    const silent = { id: 'z', name: 'Zoe', source_type: 'Expert' };
    const words = wordsOf(
      render({
        ...QUIET,
        actors: [...QUIET.actors, silent],
        claims: [{ ...claim!, value: '7', epistemic_status: 'retracted' }],
      }),
    );
    expect(words).toContain('For: nothing that counts');
    expect(words).not.toContain('How firmly it stands');
    expect(words).toContain('1 claim by 1 source about');
    expect(words).toContain('The content of the box is 7retracted');
    expect(words).not.toContain('7retractedstale');
  });

  it('the share page distinguishes evidence against a claim from what its source says', () => {
    expect(wordsOf(render(QUIET))).toContain('It rattles. evidence against the claim of Ann');
  });

  it('the share page is the same for the same snapshot', () => {
    expect(render(exampleInput('lk-99'))).toBe(render(exampleInput('lk-99')));
  });

  it.each(['first-flight', 'chernobyl-deaths', 'lk-99'])(
    'the share page has no inline style or script in %s',
    (name) => {
      covers('INV-V.4');
      for (const html of documentsOf(snapshotOf(exampleInput(name))).values()) {
        expect(html).not.toMatch(/<[^>]* (style|on\w+)=/);
        expect(html.match(/<script/g)).toHaveLength(2);
        expect(html).not.toMatch(/<style/);
      }
    },
  );

  it.each([5e-324, 1e308])('the share page draws half-lives of %p days without NaN', (days) => {
    const input = exampleInput('first-flight');
    const html = render({
      ...input,
      claims: input.claims.map((claim) => ({
        ...claim,
        epistemic_status: 'law',
        decay_half_life_days: null,
      })),
      decay_half_life_days: days,
    });
    expect(html).not.toMatch(/NaN|Infinity/);
  });

  it('every document of the share page has a frame for each pane, and every id once', () => {
    covers('INV-V.1');
    for (const html of documentsOf(snapshotOf(exampleInput('first-flight'))).values()) {
      const ids = idsOf(html);
      expect(ids).toEqual(expect.arrayContaining([...PANE_IDS]));
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    }
  });

  it('every link of the share page leads to an element of one of its documents', () => {
    covers('INV-V.1');
    const documents = documentsOf(snapshotOf(exampleInput('first-flight')));
    expect([...documents.keys()]).toEqual(PANE_IDS.map((pane) => `?pane=${pane}`));
    expect(deadEnds(documents)).toEqual([]);
  });

  it('a share of 1,000 claims has no document of more than 1 MB, and its links lead to every finding and claim', () => {
    covers('INV-V.1', 'INV-V.34');
    for (const subjects of [40, 500]) {
      const documents = documentsOf(snapshotOf(largeInput(1000, subjects)));
      for (const [address, html] of documents)
        expect([address, Buffer.byteLength(html) <= DOCUMENT_BYTES_MAX]).toEqual([address, true]);
      const ids = new Set([...documents.values()].flatMap(idsOf));
      expect([...ids].filter((id) => id.startsWith('verdict-') && !id.includes('statement'))).toHaveLength(
        subjects,
      );
      expect([...ids].filter((id) => /^claim-claim-\d+$/.test(id))).toHaveLength(1000);
      expect(deadEnds(documents)).toEqual([]);
    }
  });

  it('the number of a page beyond the last leads to the last', () => {
    const snapshot = snapshotOf(largeInput(60));
    const draw = (page: number) => renderSharePage(snapshot, { assets: ASSETS, pane: 'audit', page });
    expect(draw(99)).toBe(draw(2));
  });

  it('the share page states that nothing was claimed, or that only a summary was kept', () => {
    expect(render(EMPTY)).toContain('Nothing was claimed, so nothing can be said.');
    const input = { ...exampleInput('first-flight'), summary_mode: true };
    const summary = snapshotOf(input, {
      result: analyze(input, { now: new Date('2026-03-14T09:12:45Z') }),
      claim_audits: [],
      explanations: [],
    });
    const documents = documentsOf(summary);
    const html = documents.get('?pane=overview')!;
    expect(html).toContain('This is a summary');
    // Its findings are the page's sentences, not the engine's, which name predicates by their ids.
    expect(wordsOf(html)).toMatch(/was achieved by Wilbur and Orville Wright: almost certain/);
    expect(wordsOf(html)).not.toMatch(/achieved_by| being /);
    expect(deadEnds(documents)).toEqual([]);
  });

  it('the share page is headed by the name of the session where no question was asked', () => {
    const html = render({ ...EMPTY, research_question: ' ' }, { session_name: 'Harbour <bridge>' });
    expect(html).toContain('<h1 dir="auto">Harbour &lt;bridge></h1>');
    expect(html).toContain('<title>Harbour &lt;bridge>');
    expect(html).toContain('“Harbour &lt;bridge>” Snapshot of');
  });

  it('the share page calls inferred only verdicts by inference, not retracted or unweighed ones', () => {
    const claim = { actor_id: 'a', subject_id: 's', value: 'yes', content: 'c' };
    const html = render({
      ...EMPTY,
      actors: [
        { id: 'a', name: 'A', source_type: 'Expert' },
        { id: 't', name: 'T', source_type: 'Troll' },
      ],
      subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
      claims: [
        { ...claim, id: '1', predicate: 'taken_back', epistemic_status: 'retracted' },
        { ...claim, id: '2', predicate: 'trolled', actor_id: 't' },
        { ...claim, id: '3', predicate: 'said' },
      ],
      inferences: [
        {
          id: 'i',
          subject_id: 's',
          predicate: 'derived',
          premise_claim_ids: ['3'],
          rule_type: 'default',
          rule_param: 'x',
        },
      ],
    });
    expect(html.match(/no claim carries weight/g)).toHaveLength(2);
    expect(html.match(/inferred only, no source says so/g)).toHaveLength(1);
  });

  it('the share page names evidence about a repetition by its own words, not by those of the claim that was kept', () => {
    const claim = { actor_id: 'a', subject_id: 's', predicate: 'p', value: 'yes', content: 'The claim.' };
    const html = render({
      ...EMPTY,
      actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
      subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
      claims: [
        { ...claim, id: '1' },
        { ...claim, id: '2' },
      ],
      evidence: [{ id: 'e', claim_id: '2', content: 'The ledger.', valence: 'Refutes' }],
    });
    const reasons = /Against:.*?<\/section>/s.exec(html)![0];
    expect(reasons).toContain('The ledger.');
    expect(reasons).not.toContain('The claim.');
  });

  it('the share page begins with the answer, who says so, what it depends on and what would help most', () => {
    covers('INV-V.15');
    const words = wordsOf(render(exampleInput('first-flight')));
    const answer = words.slice(words.indexOf('change it.') + 10);
    expect(answer).toMatch(
      /^The first powered, controlled and sustained flight was almost certainly achieved by Wilbur and Orville Wright \(chance \d\d %\)\.Four independent sources say so; .*? says Alberto Santos-Dumont\.It depends on what counts as a flight: if a sustained.*?, Wilbur and Orville Wright; if only .*?, Alberto Santos-Dumont\.Most useful next: independent evidence that could speak against it\.Interpretation/,
    );
  });

  it('the answer is the finding that the author marked, and findings read as the author wrote their pattern', () => {
    covers('INV-V.35');
    const input = exampleInput('first-flight');
    const { share } = snapshotOf(input);
    const langley = input.subjects.find(({ name }) => name.startsWith('Langley'))!.id;
    const marked = { subject_id: langley, predicate: 'capable_of_flight' };
    const draw = (more: object) => render(input, { share: { ...share, ...more } });
    const html = draw({
      answer_finding: marked,
      patterns: {
        capable_of_flight: '{subject} could have <flown>',
        achieved_by: '{value} did it ({subject})',
      },
    });
    const answer = wordsOf(/<section class="answer".*?<\/section>/s.exec(html)![0]);
    expect(answer).toMatch(/Langley.* could have &lt;flown>/);
    expect(wordsOf(html)).toMatch(/Wilbur and Orville Wright did it \(First powered/);
    expect(html.match(/answers the question/g)).toHaveLength(1);
    // A finding that is not there any more leaves the answer to the one that is guessed.
    const gone = draw({ answer_finding: { ...marked, predicate: 'gone' } });
    expect(wordsOf(gone)).toContain('was almost certainly achieved by Wilbur and Orville Wright');
  });

  it('a pattern that has no place for a value stands for yes alone', () => {
    covers('INV-V.35');
    const { share } = snapshotOf(EMPTY);
    const draw = (pattern: string) =>
      wordsOf(
        render(
          { ...QUIET, claims: [{ ...QUIET.claims[0]!, value: 'a cat' }], evidence: [] },
          { share: { ...share, patterns: { content: pattern } } },
        ),
      );
    expect(draw('{subject} is full')).toContain('The content of the box is a cat');
    expect(draw('{subject} holds {value}')).toContain('Box holds a cat');
  });

  it('a pattern that has no place for a value stands for what is only inferred', () => {
    covers('INV-V.35');
    const input = exampleInput('first-flight');
    const { share } = snapshotOf(input);
    const draw = (pattern: string) =>
      wordsOf(render(input, { share: { ...share, patterns: { flew_before_the_14_bis: pattern } } }));
    expect(draw('{subject} was first')).toContain('Huffman Prairie, 1905 was first: too little evidence');
    expect(draw('{subject} was {value}')).toContain(
      'Huffman Prairie, 1905 flew before the 14 bis: too little',
    );
  });

  it('the share page names author, publisher and contact, cites the author, and marks that it was judged since', () => {
    covers('INV-V.35');
    const { share } = snapshotOf(EMPTY);
    const draw = (more: object) => render(EMPTY, { share: { ...share, ...more } });
    const html = draw({ byline: 'A. <Uthor>', publisher: 'The Paper', contact: 'desk@paper.example' });
    expect(wordsOf(html)).toContain('By A. &lt;Uthor>, published by The Paper. Contact: desk@paper.example.');
    expect(html).toContain('href="mailto:desk@paper.example"');
    expect(html).toContain('A. &lt;Uthor>, The Paper: “Nothing yet?”');
    expect(draw({ contact: 'javascript:x?a@b.example' })).not.toContain('href="javascript');
    expect(draw({})).not.toContain('class="byline"');
    expect(draw({})).not.toContain('judged again since');
    expect(draw({ judged_since: true })).toContain('It was judged again since');
  });

  it('the share page counts the sources that deny an unlikely value as those who say so', () => {
    covers('INV-V.15');
    expect(wordsOf(render(exampleInput('lk-99')))).toMatch(
      /There is almost no chance that LK-99, .*? is a superconductor at room temperature \(chance (?:&lt; )?\d %\)\.Five independent sources say it is not so; .*? says? it is, .*?; Nature, news section supports what .*? says, and one supports what others say\./,
    );
  });

  it('the share page names the subject in the answer where the question does not', () => {
    expect(wordsOf(render(exampleInput('chernobyl-deaths')))).toMatch(
      /For Deaths in 1986 from .*?, the number is probably \d+ .*?\(chance/,
    );
  });

  it('the share page names the rival of a value that barely leads, and states a tie', () => {
    covers('INV-V.15');
    const input: InvestigationInput = {
      ...QUIET,
      actors: [...QUIET.actors, { id: 'b', name: 'Bob', source_type: 'Journalist' }],
      claims: [
        { id: 'c1', actor_id: 'a', subject_id: 's', predicate: 'content', value: 'a cat', content: 'A cat!' },
        { id: 'c2', actor_id: 'b', subject_id: 's', predicate: 'content', value: 'a dog', content: 'A dog!' },
      ],
      evidence: [],
    };
    const { result, share } = snapshotOf(input);
    const marked = { ...share, answer_finding: { subject_id: 's', predicate: 'content' } };
    const judgedWith = (more: object) => {
      const [verdict] = (result as InvestigationResult).subject_results;
      const rival = { source_count: 1, independent_source_count: 1, expected_probability: 0.4 };
      const rival_values = [
        { ...rival, value: 'a cat', calibrated_probability: 0.6 },
        { ...rival, value: 'a dog', calibrated_probability: 0.4 },
      ];
      const changed = { ...result, subject_results: [{ ...verdict!, rival_values, ...more }] };
      return wordsOf(render(input, { result: changed as InvestigationResult, share: marked }));
    };
    expect(judgedWith({ calibrated_probability: 0.52 })).toContain(
      'No answer stands out; a cat leads over a dog (chance 52 %)',
    );
    expect(judgedWith({ calibrated_probability: 0.52 })).toContain('Other answers: a dog (40 %).');
    const tied = judgedWith({ calibrated_probability: 0.5, tied: true });
    expect(tied).toContain('No answer leads; a cat and a dog are tied (chance 50 % and 40 %)');
    expect(tied).toContain('The content of the box is a cat or a dog: tied (50 % and 40 %)');
  });

  it('the share page states where weight and chance disagree', () => {
    covers('RM-11.36');
    const about = { subject_id: 's', predicate: 'content' };
    const words = wordsOf(
      render({
        ...QUIET,
        actors: ['Ann', 'Bob', 'Cleo'].map((name) => ({ id: name, name, source_type: 'Expert' })),
        claims: [
          { ...about, id: 'c1', actor_id: 'Ann', value: 'a cat', content: 'A cat!' },
          { ...about, id: 'c2', actor_id: 'Bob', value: 'a cat', content: 'A cat, I think.' },
          { ...about, id: 'c3', actor_id: 'Cleo', value: 'a dog', content: 'A dog!' },
        ],
        evidence: [{ id: 'e', claim_id: 'c1', content: 'It barks.', valence: 'Refutes', weight: 3 }],
      }),
    );
    expect(words).toMatch(
      /a dog \(\d\d %\) is more likely than a cat, which leads by weight \(chance \d\d %\)/,
    );
    expect(words).toMatch(/less likely than a dog \(\d\d %\)/);
  });

  it('the share page counts every unidentified source on its side, and states weights and chances apart', () => {
    covers('INV-V.15');
    const camp = (name: string, count: number, source_type: string, value: string) =>
      Array.from({ length: count }, (_, i) => ({
        id: `${name}${i}`,
        name: `${name}${i}`,
        source_type,
        value,
      }));
    const all = [...camp('r', 3, 'Regulator', 'a cat'), ...camp('x', 30, 'Anonymous', 'a dog')];
    const words = wordsOf(
      render({
        ...QUIET,
        actors: all.map(({ id, name, source_type }) => ({ id, name, source_type })),
        claims: all.map(({ id, value }) => ({
          id: `c-${id}`,
          actor_id: id,
          subject_id: 's',
          predicate: 'content',
          value,
          content: value,
        })),
        evidence: [],
      }),
    );
    expect(words).toMatch(/3 forEvidence: \w+\.30 against/);
    expect(words).toMatch(/ a cat \(chance (5|6)\d %\)|a cat, though it is contested \(chance (5|6)\d %\)/);
    expect(words).toMatch(/one more item of evidence could move the balance of weight by \d+ points?/);
    expect(words).not.toMatch(/would lead \(/);
  });

  it('the share page names it a suspicion that sources are not independent, with how sure it is', () => {
    covers('INV-V.32');
    const subjects = Array.from({ length: 12 }, (_, i) => ({
      id: `s${i}`,
      name: `Box ${i}`,
      subject_type: 'thing',
    }));
    const names = [...'abcdefgh'];
    const claims = names.flatMap((actor_id, k) =>
      subjects.map(({ id }, i) => ({
        id: `${id}-${actor_id}`,
        actor_id,
        subject_id: id,
        predicate: 'content',
        // The last two say the same, which nobody else says.
        value: k < 6 ? `thing ${i}` : `odd ${i}`,
        content: 'as said',
      })),
    );
    const words = wordsOf(
      render({
        ...QUIET,
        actors: names.map((id) => ({ id, name: id, source_type: 'Journalist' })),
        subjects,
        claims,
        evidence: [],
      }),
    );
    expect(words).toMatch(
      /and 1 that says the same unusual things and may not be independent of it \((> )?\d\d % sure\), counted once/,
    );
    expect(words).toMatch(
      /The program is (> )?\d\d % sure that they are not independent, which is a suspicion/,
    );
    expect(words).not.toContain('not independent of it, according to the author');
  });

  it('the share page states every finding in a sentence, a word with its chance, and a bar with both sides', () => {
    covers('INV-V.15');
    const html = render(exampleInput('first-flight'));
    const findings = html.match(/<article class="finding".*?<\/article>/gs)!;
    expect(findings.length).toBe(13);
    for (const finding of findings) {
      expect(finding).toContain('class="opinion-bar');
      expect(wordsOf(finding)).toMatch(/: [a-z, ]+ \((< |> )?\d+ %[^)]*\)\d+ for/);
    }
  });

  it('the share page shows no verdict of its examples as True or False within the even band', () => {
    covers('INV-V.14');
    for (const name of ['first-flight', 'lk-99', 'chernobyl-deaths'])
      expect(wordsOf(render(exampleInput(name)))).not.toMatch(/(True|False)[^.]{0,20}\((4[5-9]|5[0-4]) %\)/);
  });

  it('the share page links addresses in claims, evidence and interpretation, and no other scheme', () => {
    covers('INV-V.16');
    const html = render(
      {
        ...QUIET,
        claims: [
          { ...QUIET.claims[0]!, value: '7', content: 'See https://loc.gov/item/1, or javascript:x.' },
        ],
        evidence: [{ id: 'e1', claim_id: 'c1', content: 'At http://x.example/y', valence: 'Refutes' }],
      },
      { interpretation: 'More: https://z.example.' },
    );
    const links = [...html.matchAll(/<a href="(?!#)([^"]*)" rel="([^"]*)"/g)].map(([, href, rel]) => [
      href,
      rel,
    ]);
    expect(new Set(links.map(([href]) => href))).toEqual(
      new Set(['https://loc.gov/item/1', 'http://x.example/y', 'https://z.example']),
    );
    expect(new Set(links.map(([, rel]) => rel))).toEqual(new Set(['noopener nofollow']));
  });

  it('the share page names claims by their words and folds warnings of one kind into one line', () => {
    covers('INV-V.18');
    const claim = {
      actor_id: 'a',
      subject_id: 's',
      predicate: 'content',
      value: 'x',
      content: 'It holds an x.',
    };
    const html = render({
      ...QUIET,
      claims: Array.from({ length: 5 }, (_, index) => ({ ...claim, id: `c${index}` })),
      evidence: [],
    });
    const warnings = wordsOf(/<h3 id="audit-warnings">.*?<\/section>/s.exec(html)![0]);
    expect(warnings).toMatch(/^Warnings4 claims repeat what the same source said already\. They count once/);
    expect(warnings).not.toMatch(/\bc\d\b/);
    expect(warnings).toContain(' says more than once: ');
    expect(warnings).not.toContain('Remove');
  });

  it('the share page says without names of fields that age has taken the weight of statements', () => {
    covers('INV-V.106');
    const [actor] = QUIET.actors;
    const warningsOf = (questions: number) => {
      const html = render({
        ...QUIET,
        actors: [actor!],
        claims: Array.from({ length: questions }, (_, index) => ({
          id: `c${index}`,
          actor_id: actor!.id,
          subject_id: 's',
          predicate: `cause_${'abcd'[index]}`,
          value: 'arson',
          content: `Arson ${index}`,
          assertion_time: '2015-05-05T00:00:00Z',
        })),
        evidence: [],
      });
      return wordsOf(/<h3 id="audit-warnings">.*?<\/section>/s.exec(html)![0]);
    };
    expect(warningsOf(1)).toMatch(
      /Statements on Box, cause a, are old: age has left (less than 1|\d+) % of their weight, and 1.claim counts for less than a quarter\./,
    );
    expect(warningsOf(4)).toContain('On 4 questions the statements are old and count for little.');
    for (const text of [warningsOf(1), warningsOf(4)]) expect(text).not.toMatch(/as_of|half_life/);
  });

  it('the share page says without names of fields that sources changed what they say, under one sentence', () => {
    covers('INV-V.79');
    const said = (id: string, actor_id: string, value: string, day: number) => ({
      id,
      actor_id,
      subject_id: 's',
      predicate: 'number_of_deaths',
      value,
      content: `${value} dead`,
      assertion_time: `2025-11-0${day}T00:00:00Z`,
    });
    const [actor] = QUIET.actors;
    const warningsOf = (sources: number) => {
      const ids = Array.from({ length: sources }, (_, index) => `a${index}`);
      const html = render({
        ...QUIET,
        decay_half_life_days: 73_000,
        actors: ids.map((id) => ({ ...actor!, id, name: `Paper ${id}` })),
        claims: ids.flatMap((id, index) =>
          Array.from({ length: index + 2 }, (_value, day) =>
            said(`${id}-${day}`, id, `${day + 10}`, day + 1),
          ),
        ),
        evidence: [],
      });
      return wordsOf(/<h3 id="audit-warnings">.*?<\/section>/s.exec(html)![0]);
    };
    expect(warningsOf(1)).toContain(
      'Paper a0 says different things at different times about Box, number of deaths. Each of these claims counts for less, for none is noted to replace another.',
    );
    // Two statements of one source and five of another are warned of alike.
    const many = warningsOf(4);
    expect(many).toContain('4 times a source says something else later than before. Each of these claims');
    for (const text of [warningsOf(1), many]) expect(text).not.toMatch(/supersedes|claim_id|\ba\d-\d\b/);
  });

  it('the share page explains why a claim was not weighed', () => {
    const claim = {
      actor_id: 'a',
      subject_id: 's',
      predicate: 'content',
      value: 'x',
      content: 'It holds an x.',
    };
    const input = { ...QUIET, evidence: [] };
    const repeated = { ...input, claims: [claim, claim].map((one, index) => ({ ...one, id: `c${index}` })) };
    expect(wordsOf(render(repeated))).toContain('it repeats what its source said in another claim');
    const later = {
      ...input,
      as_of: '2026-01-01T00:00:00Z',
      claims: [{ ...claim, id: 'c', assertion_time: '2026-02-01T00:00:00Z' }],
    };
    expect(wordsOf(render(later))).toContain('it was made after the time asked about');
  });

  it('the share page shows an interpretation as not computed, and none when there is none', () => {
    expect(render(EMPTY, { interpretation: '<b>bold</b>' })).toContain('&lt;b>bold&lt;/b>');
    expect(render(EMPTY, { interpretation: 'x' })).toContain('not computed');
    expect(render(EMPTY, { interpretation: null })).not.toContain('interpretation-title');
  });

  it('the share page says about an interpretation that it was written before the published judgement, and of no other', () => {
    const written = (interpretation_updated_at: string) =>
      render(EMPTY, { interpretation: 'x', interpretation_updated_at });
    const isOlder = 'It was written before this judgement';
    expect(written('1999-01-01T00:00:00.000Z')).toContain(isOlder);
    expect(written('2999-01-01T00:00:00.000Z')).not.toContain(isOlder);
  });
});
