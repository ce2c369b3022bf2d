import { ArgdownApplication, DataPlugin, ModelPlugin, ParserPlugin } from '@argdown/core';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { BRIDGE, judge } from './judged.fixture.ts';
import { writeArgdown } from './write-argdown.ts';

fc.configureGlobal({ seed: SEED });

const app = new ArgdownApplication();
app.addPlugin(new ParserPlugin(), 'parse-input');
app.addPlugin(new DataPlugin(), 'build-model');
app.addPlugin(new ModelPlugin(), 'build-model');

/** What may be markup, alone and before a space. */
const PUNCTUATION = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'].flatMap((one) => [one, `${one} `, ` ${one}`]);

interface Model {
  readonly parserErrors?: readonly unknown[];
  readonly lexerErrors?: readonly unknown[];
  readonly statements: Readonly<
    Record<
      string,
      {
        readonly members: readonly { readonly text?: string }[];
        readonly data?: object;
        readonly relations?: readonly {
          relationType: string;
          from?: { title: string };
          to?: { title: string };
        }[];
      }
    >
  >;
}

function parse(bytes: Uint8Array): Model {
  const input = new TextDecoder().decode(bytes);
  return app.run({
    input,
    process: ['parse-input', 'build-model'],
    throwExceptions: false,
  }) as unknown as Model;
}

describe('Argdown', () => {
  it('the parser of Argdown reads claims, supports and attacks', () => {
    covers('INV-EXPORT.4');
    const { statements, parserErrors, lexerErrors } = parse(
      writeArgdown(judge({ ...BRIDGE, distinctions: [] })),
    );
    expect([parserErrors, lexerErrors]).toEqual([[], []]);
    expect(Object.keys(statements).sort()).toEqual([
      'claim doubt',
      'claim post',
      'claim record',
      'evidence plate',
    ]);
    expect(statements['claim record']!.members.map(({ text }) => text?.trim())).toContain(
      'Council record of [1731] <p. 4> *vol* _2_ #a {x: "y"} // end - no + yes',
    );
    const relations = statements['claim post']!.relations!.map(({ relationType, from, to }) => [
      relationType,
      from?.title,
      to?.title,
    ]);
    expect(relations).toContainEqual(['attack', 'claim doubt', 'claim post']);
    expect(relations).toContainEqual(['attack', 'claim record', 'claim post']);
  });

  it('the parser of Argdown reads inferences in the section of their verdict, supported by their premises', () => {
    covers('INV-EXPORT.48', 'INV-EXPORT.55', 'INV-EXPORT.57');
    const inference = {
      predicate: 'standing',
      premise_claim_ids: ['record', 'post'],
      rule_type: 'generalization',
      rule_param: 'arches',
    };
    const description = 'What is [dated] stands.';
    const bytes = writeArgdown(
      judge({
        ...BRIDGE,
        inferences: [
          { ...inference, id: 'i1', subject_id: 'bridge', description },
          { ...inference, id: 'i2', subject_id: 'bridge' },
          {
            ...inference,
            id: 'i3',
            subject_id: 'bridge',
            predicate: 'safe',
            rule_type: 'analogy',
            rule_param: null,
          },
        ],
        distinctions: [],
      }),
    );
    const { statements, parserErrors, lexerErrors } = parse(bytes);
    expect([parserErrors, lexerErrors]).toEqual([[], []]);
    expect(statements['inference i1']!.members[0]!.text!.trim()).toBe(description);
    expect(statements['inference i2']!.members[0]!.text!.trim()).toBe('Old bridge: standing');
    expect(Object.keys(statements)).toContain('inference i3');
    expect(statements['inference i1']!.data).toEqual({
      id: 'i1',
      rule: 'generalization',
      rule_param: 'arches',
    });
    const custom = {
      ...inference,
      id: 'i4',
      subject_id: 'bridge',
      rule_type: 'custom',
      rule_param2: 'If {x} #y',
    };
    const { statements: named } = parse(writeArgdown(judge({ ...BRIDGE, inferences: [custom] })));
    expect(named['inference i4']!.data).toMatchObject({ rule_param: 'arches', rule_param2: 'If {x} #y' });
    expect(statements['inference i3']!.data).toEqual({ id: 'i3', rule: 'analogy', status: 'dropped' });
    expect(
      statements['inference i1']!.relations!.map(({ relationType, from }) => [relationType, from?.title]),
    ).toEqual([
      ['support', 'claim record'],
      ['support', 'claim post'],
    ]);
    const text = new TextDecoder().decode(bytes);
    expect(text).toMatch(/# Old bridge\\: standing\n\n\[inference i1\]/);
  });

  it('the parser of Argdown reads the distinctions that the judgement kept, with their sides', () => {
    covers('INV-EXPORT.56');
    const [kept] = BRIDGE.distinctions!;
    const dropped = { ...kept!, id: 'dropped', argument_b: 'nothing' };
    const { statements, parserErrors } = parse(
      writeArgdown(judge({ ...BRIDGE, distinctions: [kept!, dropped] })),
    );
    expect(parserErrors).toEqual([]);
    const { feature, condition_a, condition_b, argument_a, argument_b } = kept!;
    expect(statements['distinction d']!.members[0]!.text!.trim()).toBe(feature);
    expect(statements['distinction d']!.data).toEqual({
      id: 'd',
      feature,
      argument_a,
      condition_a,
      argument_b,
      condition_b,
    });
    expect(Object.keys(statements)).not.toContain('distinction dropped');
  });

  it('any text of a claim is read back by the parser word for word', () => {
    covers('INV-EXPORT.4');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (content) => {
        const judged = judge({
          ...BRIDGE,
          claims: [{ ...BRIDGE.claims[0]!, content }],
          evidence: [],
          distinctions: [],
        });
        const { statements, parserErrors } = parse(writeArgdown(judged));
        const words = content
          .toWellFormed()
          .replace(/[\s\p{Cc}]+/gu, ' ')
          .trim();
        expect(parserErrors).toEqual([]);
        expect(statements['claim record']!.members[0]!.text!.trim()).toBe(
          words === '' ? '(no words)' : words,
        );
      }),
    );
  });

  it('any id, source, value and link of a claim is read back by the parser letter for letter, with all its spaces', () => {
    covers('INV-EXPORT.4');
    const spaces = fc.constantFrom(' ', '  ', '    ', '\t', '\n', '\u00a0', '\u2028', '\u0085', '\u3000');
    const text = fc
      .array(
        fc.oneof(fc.string({ unit: 'grapheme', maxLength: 6 }), spaces, fc.constantFrom(...PUNCTUATION)),
        {
          minLength: 1,
          maxLength: 6,
        },
      )
      .map((parts) => parts.join('').toWellFormed())
      .filter((joined) => joined.trim() !== '');
    fc.assert(
      fc.property(text, text, text, text, text, (id, value, name, predicate, path) => {
        const url = `https://example.org/${encodeURI(path)}#{a} `.trim();
        const claims = [{ ...BRIDGE.claims[0]!, id: `c18    ${id}`, value, predicate, url }];
        const evidence = [
          { ...BRIDGE.evidence![0]!, id: `e ${id}`, claim_id: claims[0]!.id, content: value },
        ];
        const actors = [{ ...BRIDGE.actors[0]!, name }];
        const subjects = [{ ...BRIDGE.subjects[0]!, name }];
        const judged = judge({
          ...BRIDGE,
          research_question: value,
          actors,
          subjects,
          claims,
          evidence,
          distinctions: [],
        });
        const { statements, parserErrors, lexerErrors } = parse(writeArgdown(judged));
        expect([parserErrors, lexerErrors]).toEqual([[], []]);
        expect(Object.values(statements).map(({ data }) => data)).toMatchObject([
          { id: claims[0]!.id, source: name, value, url },
          { id: evidence[0]!.id },
        ]);
      }),
      {
        examples: [
          ['lead', '1   2', 'n', 'p', 'u'],
          ['a } b', '{b} {c}', 'C# and {x} #y', '# {p} ', '} u'],
        ],
      },
    );
  });
});
