import { describe, expect, it } from '@jest/globals';
import { shortAnswer, statement, textOf } from './statements.ts';

const said = (subject: string, predicate: string, value: string | null) =>
  textOf(statement({ subject, predicate, value }));

describe('the sentence of a proposition', () => {
  it.each([
    ['First flight', 'achieved_by', 'Wilbur Wright', 'First flight was achieved by Wilbur Wright'],
    ['No. 21', 'flew_under_power', 'true', 'No. 21 flew under power'],
    ['No. 21', 'took_off_unassisted', 'yes', 'No. 21 took off unassisted'],
    ['No. 21', 'credited_by_publisher', 'true', 'No. 21 was credited by publisher'],
    ['The machine', 'capable_of_flight', 'true', 'The machine is capable of flight'],
    ['LK-99', 'superconductor_at_room_temperature', 'true', 'LK-99 is a superconductor at room temperature'],
    ['LK-99', 'will_be_confirmed', 'true', 'LK-99 will be confirmed'],
    ['The photo', 'shows_powered_flight', 'true', 'The photo shows powered flight'],
    ['The dam', 'alarm_was_raised', 'true', 'The dam: alarm was raised'],
    ['The dam', 'leak', 'true', 'The dam: leak'],
    ['The accident', 'deaths', '31', 'The accident: 31 deaths'],
    ['Europe', 'predicted_deaths', '30,000 to 60,000', 'Europe: 30,000 to 60,000 predicted deaths'],
    ['Thyroid cancer', 'cases_registered', '4K', 'Thyroid cancer: 4K cases registered'],
    ['LK-99', 'critical_temperature', '400 K', 'The critical temperature of LK-99 is 400 K'],
    ['LK-99', 'cause_of_resistivity_drop', 'copper', 'For LK-99, the cause of resistivity drop is copper'],
    ['The flyer', 'distance_flown', '60 m', 'For The flyer, the distance flown is 60 m'],
    ['The fire', 'cause', 'arson', 'The cause of The fire is arson'],
    ['The fort', 'destroyed', '1689', 'The fort was destroyed 1689'],
    ['The ship', 'built_in', 'Genoa', 'The ship was built in Genoa'],
    ['Columbus', 'died_in', 'Valladolid', 'Columbus died in Valladolid'],
    ['The river', 'is_called', 'Arno', 'The river is called Arno'],
    ['The box', 'content', '', 'The content of The box is (empty)'],
    ['The dam', 'cause', null, 'The dam: cause'],
    ['The Flyer', 'flew_before_the_14_bis', null, 'The Flyer flew before the 14 bis'],
    ['The dam', 'capable_of_holding', null, 'The dam is capable of holding'],
    ['The flight', 'achieved_by', null, 'The flight: achieved by'],
    ['Columbus', 'died_in', null, 'Columbus: died in'],
  ])(
    'the sentence of %p, %p and %p reads as a person would say it',
    (subject, predicate, value, sentence) => {
      expect(said(subject, predicate, value)).toBe(sentence);
    },
  );

  it('the sentence of a proposition isolates every word of a user, by its direction', () => {
    const parts = statement({ subject: 'S', predicate: 'achieved_by', value: 'V' });
    expect(parts.filter((part) => typeof part !== 'string')).toEqual([
      { user: 'S' },
      { user: 'achieved by' },
      { user: 'V' },
    ]);
  });

  it('the sentence of an answer is the value alone, or what it counts', () => {
    const answered = (predicate: string, value: string) =>
      textOf(shortAnswer({ subject: 'S', predicate, value }));
    expect(answered('achieved_by', 'Wilbur Wright')).toBe('Wilbur Wright');
    expect(answered('deaths', '31')).toBe('31 deaths');
  });
});
