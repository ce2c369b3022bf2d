import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { PolicyStatement, UncheckedPolicy } from './types.ts';
import { COMPARISONS_MAX, PATTERN_BYTES_MAX, validatePolicies } from './validate.ts';

type Given = Partial<Omit<UncheckedPolicy, 'statements'>> & {
  rules?: Record<string, string>;
  statements?: UncheckedPolicy['statements'];
};

function policy({ rules, ...given }: Given, index = 0): UncheckedPolicy {
  const statements = [{ rules: rules ?? { subject: 'alice' } }];
  return {
    name: `p${index}`,
    description: '',
    invert: false,
    deny: false,
    engine: 'fixed',
    statements,
    ...given,
  };
}

const DOMAIN = '00000000-0000-4000-8000-00000000000d';
const OTHER = '00000000-0000-4000-8000-00000000000e';

const validate = (...given: Given[]) => validatePolicies(given.map(policy));

describe('validation of policies at write', () => {
  it('validation accepts policies of every engine without a warning', () => {
    expect(
      validate(
        { rules: { subject: 'alice', owner: '$resource_owner()' } },
        { engine: 'prefix', rules: { object: `svc://${DOMAIN}/$current_user()/` } },
        { engine: 'regex', rules: { object: `^svc://${DOMAIN}/(a|b)/$current_user()$` } },
        { engine: 'glob', rules: { object: `svc://${DOMAIN}/**/[!.]*` } },
        { deny: true, rules: { subject: 'mallory' } },
      ),
    ).toEqual({ errors: [], warnings: [] });
  });

  it('validation refuses regexes that take long together, and names the first policy that is too much', () => {
    covers('AUTHZ-D.22');
    const classes = Array.from({ length: 301 }, (_, i) => ({
      name: `p${i}`,
      engine: 'regex',
      rules: { subject: `^[^${String.fromCharCode(0x4e00 + i)}]+$` },
    }));
    expect(validate(...classes).errors).toMatchObject([
      { policy: 'p300', key: 'subject', code: 'pattern_invalid', message: expect.stringContaining('300') },
    ]);
    const verbose = ['a', 'b'].map((name) => ({
      name,
      engine: 'regex',
      rules: { subject: `(?x) ^ ${name} \\w{1,30} $` },
    }));
    expect(validate(...verbose).errors).toMatchObject([
      { policy: 'b', key: 'subject', code: 'pattern_invalid', message: expect.stringContaining('(?x)') },
    ]);
  });

  it.each([
    ['prefix', 'a//', 'a/'],
    ['prefix', 'a/../b', 'b'],
    ['fixed', 'a//', 'a'],
  ])('validation proposes for a %s rule on %s the spelling %s', (engine, written, proposed) => {
    const { errors } = validate({ engine, rules: { object: `svc://${DOMAIN}/${written}` } });
    expect(errors[0]?.message).toContain(`write \`svc://${DOMAIN}/${proposed}\``);
  });

  it.each<[string, Given]>([
    ['name_missing', { name: '' }],
    ['name_invalid', { name: 'x'.repeat(129) }],
    ['name_invalid', { name: ' x' }],
    ['name_invalid', { name: 'a\nb' }],
    ['description_oversized', { description: 'é'.repeat(2_049) }],
    ['engine_unspecified', { engine: 'unspecified' }],
    ['engine_unimplemented', { engine: 'first_order_logic' }],
    ['engine_unknown', { engine: 'toString' }],
    ['statements_missing', { statements: [] }],
    ['rules_missing', { statements: [{ rules: {} }] }],
    ['key_missing', { rules: { '': 'x' } }],
    ['pattern_oversized', { rules: { subject: 'x'.repeat(PATTERN_BYTES_MAX + 1) } }],
    ['pattern_oversized', { rules: { subject: 'é'.repeat(PATTERN_BYTES_MAX / 2) + 'x' } }],
    ['pattern_invalid', { engine: 'regex', rules: { subject: 'a)(b' } }],
    ['pattern_invalid', { engine: 'regex', rules: { subject: '(?<=a)b' } }],
    ['pattern_invalid', { engine: 'regex', rules: { subject: '[$current_user()]' } }],
    // With a user named `d` it would be the class of digits.
    ['pattern_invalid', { engine: 'regex', rules: { subject: '[\\$current_user()41]' } }],
    ['pattern_invalid', { engine: 'regex', rules: { subject: '(?x) $current_user()' } }],
    ['pattern_invalid', { engine: 'regex', rules: { subject: '(?:$current_user()){1000}' } }],
    ['pattern_invalid', { engine: 'glob', rules: { subject: 'a**' } }],
    ['macro_unknown', { rules: { subject: '$nobody()' } }],
    ['macro_unknown', { rules: { subject: '$current_user() or $Current_User()' } }],
    ['object_spelling', { rules: { object: `svc://${DOMAIN}/a//b` } }],
    ['object_spelling', { rules: { object: `svc://${DOMAIN}/a/` } }],
    ['object_spelling', { engine: 'prefix', rules: { object: `svc://${DOMAIN}/a/../` } }],
    ['object_spelling', { engine: 'prefix', rules: { object: `svc://${DOMAIN.toUpperCase()}/` } }],
    ['object_spelling', { engine: 'glob', rules: { object: `svc://${DOMAIN}/*/./secret` } }],
    ['object_spelling', { engine: 'glob', rules: { object: '**/%73ecret/**' } }],
    ['object_spelling', { engine: 'prefix', rules: { object: `svc://${DOMAIN}/$current_user()//` } }],
    ['object_spelling', { engine: 'regex', rules: { object: `^svc://${DOMAIN}/a b/[0-9]+$` } }],
    ['object_spelling', { engine: 'regex', rules: { object: '/cafe\u0301$' } }],
    ['text_malformed', { rules: { subject: '\ud800' } }],
    ['text_malformed', { rules: { 'a\0b': 'x' } }],
    ['text_malformed', { description: '\udfff' }],
  ])('validation refuses with %s', (code, given) => {
    covers('AUTHZ-D.14');
    expect(validate(given).errors.map((error) => error.code)).toEqual([code]);
  });

  it.each([
    '(',
    '[a',
    '(?=a)',
    '\\1',
    '(?P<a',
    '\\p{None}',
    '[z-a]',
    'a{2,1}',
    '\\',
    'a{1000}{1000}',
    '\\pL{1000}{100}',
    '.{100000}',
    `${'('.repeat(300)}${')'.repeat(300)}`,
  ])('validation refuses the REGEX `%s`, which cannot be evaluated', (pattern) => {
    covers('AUTHZ-M.3');
    const { errors } = validate({ engine: 'regex', rules: { value: pattern } });
    expect(errors).toMatchObject([{ code: 'pattern_invalid' }]);
  });

  it('validation refuses regexes that are too large together, each counted once', () => {
    covers('AUTHZ-D.22');
    const part = '[a-z0-9-]{1,63}';
    const host = (n: number) => ({
      engine: 'regex',
      rules: { host: `^${part}(?:\\.${part}){1,4}\\.team-${n}$` },
    });
    const { errors } = validate(...Array.from({ length: 250 }, (_, n) => host(n % 248)));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      policy: 'p239',
      code: 'pattern_invalid',
      message: expect.stringMatching(/positions with all repetitions written out, more than 80000; shorten/),
    });
  });

  it('validation accepts a pattern of exactly 1,024 bytes', () => {
    expect(validate({ rules: { subject: 'x'.repeat(PATTERN_BYTES_MAX) } }).errors).toEqual([]);
  });

  it('validation names policy, statement and key of every error, and finds all of them', () => {
    const statements: PolicyStatement[] = [
      { rules: { subject: 'a' } },
      { rules: { subject: 'b', object: '[' } },
    ];
    expect(validate({ engine: 'glob', statements }, { name: 'p0' }).errors).toMatchObject([
      { policy: 'p0', policyIndex: 0, statement: 1, key: 'object', code: 'pattern_invalid' },
      { policy: 'p0', policyIndex: 1, statement: null, key: null, code: 'name_duplicate' },
    ]);
  });

  const warnings = (...given: Given[]) =>
    validate(...given).warnings.map(({ policyIndex, code }) => [policyIndex, code]);

  it('validation warns about a regex without anchors at both ends', () => {
    for (const pattern of ['alice', '^alice', 'alice$', '^a|b$', '^(a)|b$']) {
      expect(warnings({ engine: 'regex', rules: { subject: pattern } })).toEqual([[0, 'regex_unanchored']]);
    }
    for (const pattern of ['^alice$', '^a$|^b$', '\\A(a|b)\\z', '^$current_user()$']) {
      expect(warnings({ engine: 'regex', rules: { owner: pattern } })).toEqual([]);
    }
  });

  it.each([
    ['alice', 'may match a part of the value; begin each alternative with `^` and end it with `$`'],
    ['^a|b$', 'may match a part of the value; begin each alternative with `^` and end it with `$`'],
    ['^w', 'matches longer values that begin so, too; end it with `$` unless that is meant'],
    ['(?i)^w', 'matches longer values that begin so, too; end it with `$` unless that is meant'],
    ['\\Aa|^b', 'matches longer values that begin so, too; end it with `$` unless that is meant'],
    ['alice$', 'matches longer values that end so, too; begin it with `^` unless that is meant'],
    // Lines of the value, not the value, begin and end there.
    ['(?m)^a$', 'may match a part of the value; begin each alternative with `^` and end it with `$`'],
    ['^(?m)a$', 'may match a part of the value; begin each alternative with `^` and end it with `$`'],
  ])('the warning of the regex %s says at which end the value may continue', (pattern, sentence) => {
    covers('AUTHZ-V.22');
    expect(validate({ engine: 'regex', rules: { owner: pattern } }).warnings).toMatchObject([
      { code: 'regex_unanchored', message: `\`${pattern}\` ${sentence}` },
    ]);
  });

  it('validation warns about an allow that a deny always overrides', () => {
    const deny: Given = { deny: true, engine: 'prefix', rules: { object: `svc://${DOMAIN}/` } };
    expect(warnings(deny, { rules: { object: `svc://${DOMAIN}/a`, subject: 'alice' } })).toEqual([
      [1, 'allow_shadowed'],
    ]);
    expect(warnings({ engine: 'prefix', rules: { object: `svc://${DOMAIN}/a` } }, deny)).toEqual([
      [0, 'allow_shadowed'],
    ]);
    expect(warnings({ rules: { object: `svc://${OTHER}/a` } }, deny)).toEqual([]);
    expect(warnings({ rules: { subject: 'alice' } }, deny)).toEqual([]);
    expect(warnings({ rules: { object: `svc://${DOMAIN}/a` } }, { ...deny, invert: true })).toEqual([]);
    expect(warnings({ rules: { object: `svc://${DOMAIN}/a` }, invert: true }, deny)).toEqual([]);
  });

  it.each<[string, Given]>([
    ['macro_misspelled', { rules: { subject: '$current_user' } }],
    ['macro_misspelled', { rules: { subject: '$current_user( )' } }],
    ['macro_misspelled', { rules: { owner: '$RESOURCE_OWNER' } }],
    ['macro_open', { engine: 'prefix', rules: { subject: '$current_user()' } }],
    ['macro_open', { engine: 'regex', rules: { subject: '^$current_user()' } }],
    ['wildcard_literal', { rules: { object: `svc://${DOMAIN}/docs/*` } }],
    ['wildcard_literal', { engine: 'prefix', rules: { action: 'read*' } }],
    ['backslash_literal', { engine: 'glob', rules: { action: 'read\\\\*' } }],
    ['braces_literal', { engine: 'glob', rules: { action: '{read,remove}' } }],
    ['subject_spelling', { rules: { subject: DOMAIN.toUpperCase() } }],
    ['subject_spelling', { engine: 'glob', rules: { subject: DOMAIN.toUpperCase() } }],
    ['object_unmatchable', { engine: 'prefix', rules: { object: `scv://${DOMAIN}/` } }],
    ['object_unmatchable', { rules: { object: '/docs/1' } }],
    ['object_unmatchable', { engine: 'regex', rules: { object: '^docs/[0-9]+$' } }],
    ['denies_absent_key', { deny: true, invert: true, rules: { mfa: 'true' } }],
    ['allows_all', { engine: 'prefix', rules: { subject: '' } }],
    ['allows_all', { engine: 'prefix', rules: { object: 'svc://' } }],
    ['allows_all', { engine: 'glob', rules: { subject: '*', action: '*', object: '**' } }],
    ['allows_all', { engine: 'regex', rules: { action: '^.*$' } }],
    ['allows_all', { rules: { subject: '$current_user()' } }],
  ])('validation warns with %s about %j', (code, given) => {
    covers('AUTHZ-D.20');
    expect(validate(given).errors).toEqual([]);
    expect(warnings(given).map(([, found]) => found)).toContain(code);
  });

  it('validation does not warn about policies that only look like mistakes', () => {
    covers('AUTHZ-D.20');
    const fine: Given[] = [
      { rules: { action: 'costs $current' } },
      { rules: { object: `svc://${DOMAIN}/docs/1` } },
      { engine: 'prefix', rules: { object: `svc://${DOMAIN}/docs/` } },
      { engine: 'prefix', rules: { group: '' } },
      { engine: 'glob', rules: { object: '**', group: 'editors' } },
      { deny: true, invert: true, rules: { action: 'read' } },
      { engine: 'glob', rules: { action: '{read}', subject: DOMAIN } },
      { rules: { owner: DOMAIN.toUpperCase(), action: '{a,b}' } },
    ];
    for (const given of fine) expect(warnings(given)).toEqual([]);
  });

  it('validation visits each allow once where nothing denies, however many there are', () => {
    let looks = 0;
    const allows = Array.from({ length: 1_000 }, (_, i) =>
      Object.defineProperty(
        {
          name: `p${i}`,
          description: '',
          invert: false,
          engine: 'fixed' as const,
          statements: [{ rules: { subject: `${i}` } }],
        },
        'deny',
        { get: () => ((looks += 1), false) },
      ),
    ) as unknown as UncheckedPolicy[];
    expect(validatePolicies(allows)).toEqual({ errors: [], warnings: [] });
    expect(looks).toBeLessThan(10 * allows.length);
  });

  it('validation stops comparing allows with denies at its work limit', () => {
    const denied: Given = { deny: true, engine: 'prefix', rules: { object: `svc://${DOMAIN}/` } };
    const others = Array.from({ length: 999 }, (): Given => ({
      ...denied,
      rules: { object: `svc://${OTHER}/` },
    }));
    const allow: Given = { rules: { object: `svc://${DOMAIN}/a` } };
    const allows = Array.from({ length: COMPARISONS_MAX / 1_000 + 1 }, () => allow);
    const found = warnings(denied, ...others, ...allows);
    expect(found).toHaveLength(COMPARISONS_MAX / 1_000);
    expect(found.at(-1)).toEqual([999 + COMPARISONS_MAX / 1_000, 'allow_shadowed']);
  });

  it('validation warns about a deny that matches every request', () => {
    for (const [engine, rules] of [
      ['prefix', { subject: '' }],
      ['glob', { object: '**' }],
      ['regex', { action: '.*' }],
      ['fixed', { subject: '$current_user()' }],
    ] as const) {
      expect(
        warnings({ deny: true, engine, rules }).filter(([, code]) => code === 'denies_all'),
      ).toHaveLength(1);
    }
    expect(warnings({ deny: true, engine: 'prefix', rules: { group: '' } })).toEqual([]);
  });
});
