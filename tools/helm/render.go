// Renders a chart as `helm template` does, where there is no helm: the same template engine (text/template), the same
// function library (sprig) and the same rules for values of subcharts.
//
//	render <chart folder> <release> <namespace> [values file]...
//
// Prints JSON: {"manifests": [{"source", "text"}], "notes": "...", "values": {"<chart>": {...}}}; `values` are what each
// chart sees, for its values.schema.json. Exit code 1 with the template engine's message when a template fails.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type object = map[string]interface{}

type chart struct {
	folder   string
	path     string // as Helm names templates: platform/charts/docstore-api
	meta     object
	values   object
	children []*chart
}

func readYaml(file string) (object, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parsed := object{}
	if err := yaml.Unmarshal(content, &parsed); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return parsed, nil
}

// readValues reads numbers as Helm does, by way of JSON: all of them as float64.
func readValues(file string) (object, error) {
	parsed, err := readYaml(file)
	if err != nil {
		return nil, err
	}
	return asJson(parsed).(object), nil
}

func asJson(value interface{}) interface{} {
	switch typed := value.(type) {
	case object:
		for key, inner := range typed {
			typed[key] = asJson(inner)
		}
	case []interface{}:
		for i, inner := range typed {
			typed[i] = asJson(inner)
		}
	case int:
		return float64(typed)
	}
	return value
}

// merge lays `over` onto `under`; null in `over` removes a key, as Helm has it.
func merge(under, over object) object {
	merged := object{}
	for key, value := range under {
		merged[key] = value
	}
	for key, value := range over {
		if value == nil {
			delete(merged, key)
			continue
		}
		overMap, overIsMap := value.(object)
		underMap, underIsMap := merged[key].(object)
		if overIsMap && underIsMap {
			merged[key] = merge(underMap, overMap)
		} else {
			merged[key] = value
		}
	}
	return merged
}

func lookUp(values object, path string) interface{} {
	var at interface{} = values
	for _, part := range strings.Split(path, ".") {
		asMap, ok := at.(object)
		if !ok {
			return nil
		}
		at = asMap[part]
	}
	return at
}

func load(folder, path string, given object) (*chart, error) {
	meta, err := readYaml(filepath.Join(folder, "Chart.yaml"))
	if err != nil {
		return nil, err
	}
	own, err := readValues(filepath.Join(folder, "values.yaml"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	loaded := &chart{folder: folder, path: path, meta: meta, values: merge(own, given)}
	dependencies, _ := meta["dependencies"].([]interface{})
	for _, entry := range dependencies {
		dependency := entry.(object)
		name := dependency["name"].(string)
		if condition, ok := dependency["condition"].(string); ok {
			if enabled, isBool := lookUp(loaded.values, condition).(bool); isBool && !enabled {
				continue
			}
		}
		passed, _ := loaded.values[name].(object)
		if global, ok := loaded.values["global"].(object); ok {
			passed = merge(passed, object{"global": global})
		}
		child, err := load(filepath.Join(folder, "charts", name), path+"/charts/"+name, passed)
		if err != nil {
			return nil, err
		}
		loaded.values[name] = child.values
		loaded.children = append(loaded.children, child)
	}
	return loaded, nil
}

func (c *chart) each(visit func(*chart) error) error {
	for _, child := range c.children {
		if err := child.each(visit); err != nil {
			return err
		}
	}
	return visit(c)
}

func functions(engine *template.Template) template.FuncMap {
	funcs := sprig.TxtFuncMap()
	delete(funcs, "env")
	delete(funcs, "expandenv")
	funcs["toYaml"] = func(value interface{}) (string, error) {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(out.String(), "\n"), err
	}
	funcs["fromYaml"] = func(text string) (object, error) {
		parsed := object{}
		err := yaml.Unmarshal([]byte(text), &parsed)
		return parsed, err
	}
	funcs["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := engine.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	funcs["tpl"] = func(text string, data interface{}) (string, error) {
		copied, err := engine.Clone()
		if err != nil {
			return "", err
		}
		parsed, err := copied.New("tpl").Parse(text)
		if err != nil {
			return "", err
		}
		var out strings.Builder
		err = parsed.Execute(&out, data)
		return out.String(), err
	}
	funcs["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	// There is no cluster to ask.
	funcs["lookup"] = func(_, _, _, _ string) object { return object{} }
	return funcs
}

type manifest struct {
	Source string `json:"source"`
	Text   string `json:"text"`
}

func render(folder, release, namespace string, valuesFiles []string) error {
	given := object{}
	for _, file := range valuesFiles {
		values, err := readValues(file)
		if err != nil {
			return err
		}
		given = merge(given, values)
	}
	meta, err := readYaml(filepath.Join(folder, "Chart.yaml"))
	if err != nil {
		return err
	}
	root, err := load(folder, meta["name"].(string), given)
	if err != nil {
		return err
	}

	engine := template.New("").Option("missingkey=zero")
	engine.Funcs(functions(engine))
	owners := map[string]*chart{}
	err = root.each(func(c *chart) error {
		return filepath.Walk(filepath.Join(c.folder, "templates"), func(file string, info os.FileInfo, err error) error {
			if errors.Is(err, os.ErrNotExist) {
				return nil
			}
			if err != nil || info.IsDir() {
				return err
			}
			content, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			relative, _ := filepath.Rel(c.folder, file)
			name := c.path + "/" + filepath.ToSlash(relative)
			owners[name] = c
			_, err = engine.New(name).Parse(string(content))
			return err
		})
	})
	if err != nil {
		return err
	}

	names := make([]string, 0, len(owners))
	for name := range owners {
		names = append(names, name)
	}
	sort.Strings(names)
	answer := struct {
		Manifests []manifest        `json:"manifests"`
		Notes     string            `json:"notes"`
		Values    map[string]object `json:"values"`
	}{Manifests: []manifest{}, Values: map[string]object{}}
	for _, name := range names {
		owner := owners[name]
		if strings.HasPrefix(filepath.Base(name), "_") || owner.meta["type"] == "library" {
			continue
		}
		data := object{
			"Values":       owner.values,
			"Chart":        object{"Name": owner.meta["name"], "Version": owner.meta["version"], "AppVersion": owner.meta["appVersion"]},
			"Release":      object{"Name": release, "Namespace": namespace, "Service": "Helm", "Revision": 1, "IsInstall": true, "IsUpgrade": false},
			"Template":     object{"Name": name, "BasePath": owner.path + "/templates"},
			"Capabilities": object{"KubeVersion": object{"Version": "v1.30.0", "Major": "1", "Minor": "30"}},
		}
		var out strings.Builder
		if err := engine.ExecuteTemplate(&out, name, data); err != nil {
			return err
		}
		// A map lacking a key prints this where Helm prints nothing.
		text := strings.ReplaceAll(out.String(), "<no value>", "")
		if filepath.Base(name) == "NOTES.txt" {
			if owner == root {
				answer.Notes = text
			}
		} else if strings.TrimSpace(text) != "" {
			answer.Manifests = append(answer.Manifests, manifest{Source: name, Text: text})
		}
	}
	_ = root.each(func(c *chart) error {
		answer.Values[c.meta["name"].(string)] = c.values
		return nil
	})
	return json.NewEncoder(os.Stdout).Encode(answer)
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: render <chart folder> <release> <namespace> [values file]...")
		os.Exit(2)
	}
	if err := render(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
