import { describe, expect, it } from '@jest/globals';
import { readExposition, unknownNames } from './exposition.ts';
import { readExpression } from './expression.ts';

const METRICS = `# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.1",app="a",route="/x",code="200"} 1
http_request_duration_seconds_count{app="a",route="/x",code="200"} 1
# TYPE pool_waiting gauge
# TYPE lag_p99_seconds gauge
lag_p99_seconds{app="a"} 0.01
`;
const services = { a: readExposition(METRICS), b: readExposition('# TYPE lag_p99_seconds gauge\n') };
const problemsOf = (text: string) => unknownNames(readExpression(text), services);

describe('readExpression', () => {
  it('readExpression finds metrics, matchers and grouping, and none of the functions', () => {
    const { selectors, grouping } = readExpression(
      'histogram_quantile(0.99, sum by (service, le) (rate(a_bucket{route!~".*(x|y).*",s="b"}[5m]))) > 1e3 and c_total / 2 >= 0.5',
    );
    expect(selectors).toEqual([
      { metric: 'a_bucket', labels: new Map([['route', null], ['s', 'b']]) }, // prettier-ignore
      { metric: 'c_total', labels: new Map() },
    ]);
    expect([...grouping]).toEqual(['service', 'le']);
  });

  it.each([
    'sum(a',
    'a)',
    'a{b=1}',
    'a{b="c"',
    'sum by a (b)',
    '1 + 2',
    'a ; b',
    'rate(a[$__rate_interval)',
    '',
  ])('readExpression refuses `%s`', (text) => {
    expect(() => readExpression(text)).toThrow();
  });
});

describe('unknownNames', () => {
  it.each([
    'max by (instance) (pool_waiting) > 0',
    'sum by (app, route) (rate(http_request_duration_seconds_count{code=~"5.."}[5m]))',
    'histogram_quantile(0.5, sum by (le) (rate(http_request_duration_seconds_bucket{app="a"}[$__rate_interval])))',
    'lag_p99_seconds{app="b"}',
  ])('unknownNames accepts `%s`', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['pool_size', ['no service exposes no pool_size']],
    ['pool_waiting{app="b"}', ['b exposes no pool_waiting']],
    ['http_request_duration_seconds', ['no service exposes no http_request_duration_seconds']],
    ['lag_p99_seconds{route="/x"}', ['lag_p99_seconds has no label route']],
    ['sum by (tenant) (lag_p99_seconds)', ['nothing has the label tenant']],
  ])('unknownNames names the mistake in `%s`', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});
