import { describe, expect, it } from '@jest/globals';
import { clause, shortAnswer, statement, textOf } from './statements.ts';

const said = (subject: string, predicate: string, value: string | null) =>
  textOf(statement({ subject, predicate, value }));

describe('the sentence of a proposition', () => {
  it.each([
    ['First flight', 'achieved_by', 'Wilbur Wright', 'The first flight was achieved by Wilbur Wright'],
    ['No. 21', 'flew_under_power', 'true', 'No. 21 flew under power'],
    ['No. 21', 'took_off_unassisted', 'yes', 'No. 21 took off unassisted'],
    ['No. 21', 'credited_by_publisher', 'true', 'No. 21 was credited by publisher'],
    ['The machine', 'capable_of_flight', 'true', 'The machine is capable of flight'],
    ['LK-99', 'superconductor_at_room_temperature', 'true', 'LK-99 is a superconductor at room temperature'],
    ['LK-99', 'will_be_confirmed', 'true', 'LK-99 will be confirmed'],
    ['The photo', 'shows_powered_flight', 'true', 'The photo shows powered flight'],
    ['The dam', 'alarm_was_raised', 'true', '“alarm was raised” is true of the dam'],
    ['The dam', 'leak', 'true', 'The dam has a leak'],
    ['The accident', 'deaths', '31', 'For the accident, the number of deaths is 31'],
    [
      'Europe',
      'predicted_deaths',
      '30,000 to 60,000',
      'For Europe, the number of predicted deaths is 30,000 to 60,000',
    ],
    ['Thyroid cancer', 'cases_registered', '4K', 'For Thyroid cancer, the number of cases registered is 4K'],
    ['LK-99', 'critical_temperature', '400 K', 'The critical temperature of LK-99 is 400 K'],
    ['LK-99', 'cause_of_resistivity_drop', 'copper', 'For LK-99, the cause of resistivity drop was copper'],
    ['The flyer', 'distance_flown', '60 m', 'For the flyer, the distance flown is 60 m'],
    ['The fire', 'cause', 'arson', 'The cause of the fire was arson'],
    ['The fort', 'destroyed', '1689', 'The fort was destroyed in 1689'],
    ['The ship', 'built_in', 'Genoa', 'The ship was built in Genoa'],
    ['Columbus', 'died_in', 'Valladolid', 'Columbus died in Valladolid'],
    ['The river', 'is_called', 'Arno', 'The river is called Arno'],
    ['Bridge', 'open', 'true', 'The bridge is open'],
    ['Bridge', 'safe', 'true', 'The bridge is safe'],
    ['Bridge', 'signed', 'true', 'The bridge was signed'],
    ['Bridge', 'isOpen', 'true', 'The bridge is open'],
    ['Bridge', 'is_open', 'true', 'The bridge is open'],
    ['Bridge', 'was_built', 'true', 'The bridge was built'],
    ['Bridge', 'has_children', 'true', 'The bridge has children'],
    ['Bridge', 'took_off_unassisted', 'true', 'The bridge took off unassisted'],
    ['Bridge', 'closed', 'true', 'The bridge is closed'],
    ['Bridge', 'guilty', 'true', 'The bridge is guilty'],
    ['Bridge', 'forged', 'true', 'The bridge was forged'],
    ['Bridge', 'hoax', 'true', 'The bridge is a hoax'],
    ['Bridge', 'accident', 'true', 'The bridge is an accident'],
    ['Bridge', 'structural_defect', 'true', 'The bridge has a structural defect'],
    ['Bridge', 'collapsed', 'true', 'The bridge collapsed'],
    ['Bridge', 'built', 'true', 'The bridge was built'],
    ['Bridge', 'sold', 'true', 'The bridge was sold'],
    ['Bridge', 'last_inspected', 'true', 'The bridge was last inspected'],
    ['Bridge', 'officially_opened', 'true', 'The bridge was officially opened'],
    ['Bridge', 'still_open', 'true', 'The bridge is still open'],
    ['Bridge', 'not_safe', 'true', 'The bridge is not safe'],
    ['Bridge', 'in_use', 'true', 'The bridge is in use'],
    ['Bridge', 'under_construction', 'true', 'The bridge is under construction'],
    ['Bridge', 'missing', 'true', 'The bridge is missing'],
    ['Bridge', 'hit_the_pier', 'true', 'The bridge hit the pier'],
    ['Bridge', 'of_roman_origin', 'true', 'The bridge is of roman origin'],
    ['Bridge', 'located_in_rome', 'true', 'The bridge is located in rome'],
    ['Bridge', 'survived_the_war', 'true', 'The bridge survived the war'],
    ['Bridge', 'author_of_the_letter', 'true', 'The bridge is an author of the letter'],
    ['Bridge', 'can_fly', 'true', 'The bridge can fly'],
    ['Bridge', 'had_brakes', 'true', 'The bridge had brakes'],
    ['Bridge', 'lost', 'true', 'The bridge was lost'],
    ['Bridge', 'known_to_police', 'true', 'The bridge was known to police'],
    ['Bridge', 'dangerous_to_ships', 'true', 'The bridge is dangerous to ships'],
    ['Bridge', 'caused_by_fire', 'true', 'The bridge was caused by fire'],
    ['Bridge', 'human_made', 'true', 'The bridge is human made'],
    ['Bridge', 'open_to_public', 'true', 'The bridge is open to public'],
    ['Bridge', 'signed_the_treaty', 'true', 'The bridge signed the treaty'],
    ['Bridge', 'has_been_repaired', 'true', 'The bridge has been repaired'],
    ['Bridge', 'exists', 'true', 'The bridge exists'],
    ['Bridge', 'arson', 'true', '“arson” is true of the bridge'],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision',
      'The cause of the Halden bridge collapse was a ship collision',
    ],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision or fatigue crack',
      'The cause of the Halden bridge collapse was a ship collision or a fatigue crack',
    ],
    ['Tower', 'height', '220 m', 'The height of the tower is 220 m'],
    ['East girder', 'last_inspected', '1960', 'The east girder was last inspected in 1960'],
    ['East girder', 'last_inspected', '1906-11-12', 'The east girder was last inspected on 12 November 1906'],
    ['The fort', 'built_in', '1906-11', 'The fort was built in November 1906'],
    ['Columbus', 'died', '1506', 'Columbus died in 1506'],
    ['Fire', 'located_in', 'Oslo', 'The fire is located in Oslo'],
    ['Ship', 'weighs', '20 t', 'The ship weighs 20 t'],
    ['Ship', 'number_of_masts', '3', 'For the ship, the number of masts is 3'],
    ['Freighter Maren', 'captain', 'Ole Berg', 'The captain of the freighter Maren is Ole Berg'],
    ['Bridge', 'open', 'false', 'The bridge is not open'],
    ['Bridge', 'maximumLoad', '40 t', 'The maximum load of the bridge is 40 t'],
    ['Bridge', 'year_built', '1950', 'For the bridge, the year built is 1950'],
    ['Tower Bridge', 'open', 'true', 'Tower Bridge is open'],
    ['Wright brothers', 'has_children', 'true', 'The Wright brothers have children'],
    ['The box', 'content', '', 'The content of the box is (empty)'],
    ['The dam', 'cause', null, '“cause” is true of the dam'],
    ['The Flyer', 'flew_before_the_14_bis', null, 'The Flyer flew before the 14 bis'],
    ['The dam', 'capable_of_holding', null, 'The dam is capable of holding'],
    ['The flight', 'achieved_by', null, '“achieved by” is true of the flight'],
    ['Columbus', 'died_in', null, '“died in” is true of Columbus'],
  ])(
    'the sentence of %p, %p and %p reads as a person would say it',
    (subject, predicate, value, sentence) => {
      expect(said(subject, predicate, value)).toBe(sentence);
    },
  );

  it.each([
    ['open', 'true', 'the bridge is not open'],
    ['open', 'false', 'the bridge is open'],
    ['never_finished', 'true', 'the bridge was finished'],
    ['can_fly', 'true', 'the bridge cannot fly'],
    ['flew_under_power', 'true', 'it is not true that the bridge flew under power'],
    ['cause', 'fatigue crack', 'the cause of the bridge was not a fatigue crack'],
  ])('the denial of %p with %p says that it is not so', (predicate, value, sentence) => {
    expect(textOf(clause({ subject: 'Bridge', predicate, value }, { isDenied: true }))).toBe(sentence);
  });

  it('the sentence of an author stands as it is written, its article small within a sentence', () => {
    const said = {
      subject: 'Bridge',
      predicate: 'open',
      value: 'true',
      pattern: 'The {subject} lets cars pass',
    };
    expect(textOf(statement(said))).toBe('The Bridge lets cars pass');
    expect(textOf(clause({ ...said, pattern: 'The span of {subject} is up' }))).toBe(
      'the span of Bridge is up',
    );
  });

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
