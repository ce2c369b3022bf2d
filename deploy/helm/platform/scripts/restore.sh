# Fills the databases whose URLs are set from $FOLDER/$NIGHT, or from the newest dump. Every dump is read to its
# end before anything is emptied: a dump that was cut off must not cost the database that it cannot replace.
from="$FOLDER/${NIGHT:-$(ls "$FOLDER" | grep 'Z$' | tail -n 1)}"
# A backup that was cut off, or still runs, has the name `.part`.
if [ "$from" = "$FOLDER/" ] || [ "${from%Z}" = "$from" ] || [ ! -d "$from" ]; then
  echo "no dump $from; there are:" >&2
  ls "$FOLDER" | grep 'Z$' >&2
  exit 1
fi
read_dump() {
  if [ -n "$2" ]; then
    ls -l "$from/$1.dump"
    pg_restore --file=/dev/null "$from/$1.dump"
  fi
}
# Tools of another version fail half way: a server does not take what newer ones write.
compare_versions() {
  if [ -n "$2" ]; then
    server="$(psql "$2" --no-align --tuples-only --command="SELECT current_setting('server_version_num')::int / 10000")"
    tools="$(pg_restore --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')"
    if [ "$tools" != "$server" ]; then
      echo "$1 is on Postgres $server and backup.image has Postgres $tools; set an image of version $server" >&2
      exit 1
    fi
  fi
}
refuse_connections() {
  if [ -n "$2" ]; then
    others="$(psql "$2" --no-align --tuples-only --command="SELECT pid, client_addr, state,
      translate(left(query, 60), chr(10), ' ')
      FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()")"
    if [ -n "$others" ]; then
      echo "stop the services first: $(echo "$others" | wc -l) connections to $1" >&2
      echo "$others" >&2
      exit 1
    fi
  fi
}
# What the role owns goes, also what is newer than the dump; the database and the role stay.
restore() {
  if [ -n "$2" ]; then
    echo "emptying $1"
    psql "$2" --quiet --command="SET lock_timeout = '60s'" --command='DROP OWNED BY CURRENT_USER'
    pg_restore --no-owner --no-privileges --no-comments --exit-on-error --dbname="$2" "$from/$1.dump"
    echo "filled $1"
  fi
}
for step in read_dump compare_versions refuse_connections restore; do
  $step docstore "$DOCSTORE_URL"
  $step investigation "$INVESTIGATION_URL"
  $step authz "$AUTHZ_URL"
done
echo "restored $from"
