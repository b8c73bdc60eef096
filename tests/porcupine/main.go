// Judges exported histories with Porcupine: is each resource a mutex? Names of files come as arguments; for each file
// one line says `legal`, `illegal` or `unknown`. A file that cannot be read ends the program with code 1.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

const timeLimit = 20 * time.Second

type lockInput struct {
	Op       string `json:"op"`
	Resource string `json:"resource"`
	Hold     string `json:"hold"`
}

type operation struct {
	ClientId int
	Input    lockInput
	Call     int64
	Output   bool
	Return   int64
}

// The state is the hold that has the mutex; the empty one means nobody.
var mutex = porcupine.Model{
	Partition: byResource,
	Init:      func() interface{} { return "" },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		lock := input.(lockInput)
		switch {
		case lock.Op == "acquire" && state == "":
			return true, lock.Hold
		case lock.Op == "release" && state == lock.Hold:
			return true, ""
		}
		return false, state
	},
}

func byResource(history []porcupine.Operation) [][]porcupine.Operation {
	places := map[string]int{}
	var parts [][]porcupine.Operation
	for _, operation := range history {
		resource := operation.Input.(lockInput).Resource
		place, known := places[resource]
		if !known {
			place = len(parts)
			places[resource] = place
			parts = append(parts, nil)
		}
		parts[place] = append(parts[place], operation)
	}
	return parts
}

func readOperations(path string) ([]porcupine.Operation, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	decoder := json.NewDecoder(bufio.NewReader(file))
	decoder.DisallowUnknownFields()
	var operations []porcupine.Operation
	for {
		var read operation
		if err := decoder.Decode(&read); err == io.EOF {
			return operations, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if read.Input.Op != "acquire" && read.Input.Op != "release" {
			return nil, fmt.Errorf("%s: unknown operation %q", path, read.Input.Op)
		}
		operations = append(operations, porcupine.Operation{
			ClientId: read.ClientId,
			Input:    read.Input,
			Call:     read.Call,
			Output:   read.Output,
			Return:   read.Return,
		})
	}
}

func main() {
	for _, path := range os.Args[1:] {
		operations, err := readOperations(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		switch porcupine.CheckOperationsTimeout(mutex, operations, timeLimit) {
		case porcupine.Ok:
			fmt.Println("legal")
		case porcupine.Illegal:
			fmt.Println("illegal")
		default:
			fmt.Println("unknown")
		}
	}
}
